-- Which versions of an app have most findings of severity error, per hundred launches.
-- A version with few launches says little: min_launches leaves it out (20 if not set).

-- A file may hold traces of several apps and versions: captures tells of its first one only.
WITH ran AS (
  SELECT path, app, app_version, launches FROM captures WHERE copy_of IS NULL AND traces = 1
  UNION ALL
  SELECT path, app, app_version, count(*) FROM launches
  WHERE path IN (SELECT path FROM captures WHERE traces > 1) GROUP BY path, app, app_version
  UNION ALL
  SELECT DISTINCT path, app, app_version, 0 FROM findings
  WHERE path IN (SELECT path FROM captures WHERE traces > 1)
), versions AS (
  SELECT app, app_version, count(DISTINCT path) AS captures, sum(launches)::BIGINT AS launches
  FROM ran
  GROUP BY app, app_version
), broken AS (
  SELECT
    app, app_version, sum("count")::BIGINT AS errors, count(DISTINCT path) AS captures_with_errors
  FROM findings
  WHERE severity = 'error'
  GROUP BY app, app_version
)
SELECT
  v.app, v.app_version, v.captures, v.launches, coalesce(b.errors, 0) AS errors,
  coalesce(b.captures_with_errors, 0) AS captures_with_errors,
  round(100.0 * coalesce(b.errors, 0) / v.launches, 3) AS errors_per_hundred_launches
FROM versions AS v LEFT JOIN broken AS b
  ON v.app = b.app AND v.app_version IS NOT DISTINCT FROM b.app_version
WHERE v.launches >= coalesce(getvariable('min_launches')::BIGINT, 20)
ORDER BY errors_per_hundred_launches DESC, v.app, v.app_version NULLS FIRST;
