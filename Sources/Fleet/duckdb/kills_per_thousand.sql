-- How many of a thousand launches the system ends, with the 95 % interval of Wilson: it holds for
-- few launches, too, and never leaves 0 to 1000. A crash, an exit and the user's own hand are no
-- kills; jetsam is one, and usual for an app in the background: it has a column of its own.

WITH counts AS (
  SELECT
    app, app_version, count(*) AS n,
    count(*) FILTER ("end" IS NOT NULL AND "end" NOT IN (
      'exit', 'exit_after_will_terminate', 'unrecorded', 'user_force_quit', 'crash')) AS kills,
    count(*) FILTER ("end" = 'jetsam') AS jetsam
  FROM launches
  GROUP BY app, app_version
), shares AS (
  SELECT *, kills / n AS p, 1.959963984540054 AS z FROM counts
)
SELECT
  app, app_version, n AS launches, kills, jetsam, round(1000 * p, 3) AS per_thousand,
  -- Without a kill the difference may be a little below zero: minus zero is none, either.
  round(1000 * (p + z * z / (2 * n) - z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)))
    / (1 + z * z / n), 3) + 0.0 AS low,
  round(1000 * (p + z * z / (2 * n) + z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)))
    / (1 + z * z / n), 3) AS high
FROM shares
ORDER BY per_thousand DESC, app, app_version NULLS FIRST;
