-- Ends of launches by cause, and which broken rule explains them; without one the capture doesn't
-- show why.

SELECT
  app, "end" AS cause, end_rule AS rule, count(*) AS launches,
  count(DISTINCT path) AS captures
FROM launches
WHERE "end" IS NOT NULL
GROUP BY app, "end", end_rule
ORDER BY app, launches DESC, cause, rule NULLS FIRST;
