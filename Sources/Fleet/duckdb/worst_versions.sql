-- Which versions of an app have most findings of severity error, per hundred launches.
-- A version with few launches says little: min_launches leaves it out (20 if not set).

SELECT
  c.app, c.app_version, count(*) AS captures, sum(c.launches)::BIGINT AS launches,
  coalesce(sum(f.errors), 0)::BIGINT AS errors,
  count(*) FILTER (f.errors > 0) AS captures_with_errors,
  round(100.0 * coalesce(sum(f.errors), 0) / sum(c.launches), 3) AS errors_per_hundred_launches
FROM captures AS c
LEFT JOIN (
  SELECT path, sum("count")::BIGINT AS errors FROM findings WHERE severity = 'error' GROUP BY path
) AS f USING (path)
WHERE c.copy_of IS NULL AND c.traces > 0
GROUP BY c.app, c.app_version
HAVING sum(c.launches) >= coalesce(getvariable('min_launches')::BIGINT, 20)
ORDER BY errors_per_hundred_launches DESC, c.app, c.app_version NULLS FIRST;
