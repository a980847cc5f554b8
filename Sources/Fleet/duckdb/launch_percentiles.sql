-- How long launches take, by device and system; in seconds. A percentile is a duration that was
-- measured: the smallest one that so many of all don't exceed.

SELECT
  app, device_model, os_version, count(*) AS launches,
  quantile_disc(duration_ns, 0.50) / 1e9 AS p50_s,
  quantile_disc(duration_ns, 0.90) / 1e9 AS p90_s,
  quantile_disc(duration_ns, 0.95) / 1e9 AS p95_s,
  quantile_disc(duration_ns, 0.99) / 1e9 AS p99_s,
  max(duration_ns) / 1e9 AS max_s
FROM launches
WHERE duration_ns IS NOT NULL
GROUP BY app, device_model, os_version
ORDER BY app, device_model NULLS FIRST, os_version NULLS FIRST;
