-- What couldn't be read, by its reason, with a file to look at.

SELECT
  status, regexp_replace(error, '[0-9]+', 'N', 'g') AS reason, count(*) AS captures,
  min(path) AS example
FROM captures
WHERE status IN ('unreadable', 'damaged')
GROUP BY status, reason
ORDER BY captures DESC, status, reason NULLS FIRST;
