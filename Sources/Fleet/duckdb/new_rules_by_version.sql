-- Rules that appeared with a version: broken in it, and in no earlier version of the app, although
-- earlier ones were captured. Versions are in the order of their numbers, so that 1.10 comes after
-- 1.9; captures_before says how much there was to see before.

-- A file may hold traces of several apps and versions: captures tells of its first one only.
WITH seen AS (
  SELECT path, app, app_version FROM captures WHERE copy_of IS NULL AND traces = 1
  UNION
  SELECT path, app, app_version FROM launches
  WHERE path IN (SELECT path FROM captures WHERE traces > 1)
  UNION
  SELECT path, app, app_version FROM findings
  WHERE path IN (SELECT path FROM captures WHERE traces > 1)
), versions AS (
  SELECT
    app, app_version, count(*) AS captures,
    list_transform(regexp_extract_all(app_version, '[0-9]+'), lambda x: try_cast(x AS HUGEINT))
      AS place
  FROM seen
  WHERE app_version IS NOT NULL
  GROUP BY app, app_version
), ordered AS (
  SELECT
    *, sum(captures) OVER (
      PARTITION BY app ORDER BY place, app_version ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - captures AS captures_before,
    row_number() OVER (PARTITION BY app ORDER BY place, app_version) AS ordinal
  FROM versions
), broken AS (
  SELECT app, app_version, rule, any_value(slug) AS slug, count(DISTINCT path) AS broken_captures
  FROM findings
  WHERE app_version IS NOT NULL
  GROUP BY app, app_version, rule
)
SELECT
  b.app, b.app_version, b.rule, b.slug, b.broken_captures, o.captures,
  o.captures_before::BIGINT AS captures_before
FROM broken AS b JOIN ordered AS o USING (app, app_version)
QUALIFY row_number() OVER (PARTITION BY b.app, b.rule ORDER BY o.ordinal) = 1 AND o.ordinal > 1
ORDER BY b.app, o.ordinal, b.rule;
