-- The tables of the ready queries, made of JSON Lines reports: of one call, of shards, or of many.
--   tracecheck check --files-from list --report jsonl=1.jsonl --measures --keep-copies
--   duckdb -cmd "SET VARIABLE reports = '*.jsonl'" -f jsonl.sql -f worst_versions.sql

CREATE OR REPLACE TEMP TABLE lines AS
SELECT *
FROM read_json(
  getvariable('reports'), format = 'newline_delimited', maximum_object_size = 67108864,
  columns = {
    path: 'VARCHAR', trace_id: 'VARCHAR', format: 'VARCHAR', app: 'VARCHAR',
    app_version: 'VARCHAR', os_version: 'VARCHAR', device_model: 'VARCHAR', events: 'BIGINT',
    launches: 'BIGINT', completeness: 'VARCHAR', number: 'INTEGER',
    unreadable: 'STRUCT(message VARCHAR, advice VARCHAR)',
    findings: 'STRUCT(rule VARCHAR, slug VARCHAR, severity VARCHAR, reason VARCHAR,
      message VARCHAR, time_ns BIGINT, thread BIGINT, launch INTEGER, "count" BIGINT,
      last_time_ns BIGINT, subject VARCHAR, fingerprint VARCHAR, confidence VARCHAR)[]',
    measures: 'STRUCT(content VARCHAR, wall_ns BIGINT,
      launches STRUCT(launch INTEGER, start_ns BIGINT, wall_ns BIGINT, reason VARCHAR,
        duration_ns BIGINT, first_foreground_ns BIGINT, "end" VARCHAR)[],
      durations STRUCT(name VARCHAR, launch INTEGER, start_ns BIGINT, duration_ns BIGINT,
        end_ns BIGINT)[],
      terminations STRUCT(launch INTEGER, time_ns BIGINT, cause VARCHAR, "count" BIGINT,
        rule VARCHAR)[],
      incomplete BOOLEAN)'
  });

-- One row per trace; a line that two reports hold is one, and that with measures is the better.
CREATE OR REPLACE TEMP VIEW traces AS
SELECT DISTINCT ON (path, number)
  * EXCLUDE (app), app AS bundle,
  coalesce(nullif(regexp_replace(app, '[^A-Za-z0-9._-]', '_', 'g')[:100], ''), 'unknown') AS app,
  coalesce(strftime(make_timestamp(measures.wall_ns // 1000), '%Y-%m-%d'), 'unknown') AS date
FROM lines
ORDER BY path, number, measures IS NULL;

CREATE OR REPLACE TEMP TABLE captures AS
WITH files AS (
  SELECT
    path, first(unreadable.message) AS error, count(number) AS traces,
    coalesce(sum(events), 0)::BIGINT AS events, coalesce(sum(launches), 0)::BIGINT AS launches,
    coalesce(sum(len(findings)), 0)::BIGINT AS findings,
    bool_or(completeness = 'damaged') AS is_damaged, bool_or(measures.incomplete) AS incomplete,
    bool_and(coalesce(
      measures.content IS NOT NULL AND completeness <> 'damaged'
      AND (events > 0 OR trace_id <> measures.content), false)) AS is_comparable,
    list_sort(list([trace_id, measures.content, events::VARCHAR, bundle, app_version, os_version,
      device_model]))::VARCHAR AS identity,
    -- Of a file with several traces the first one speaks.
    arg_min({'format': format, 'completeness': completeness, 'trace_id': trace_id,
      'bundle': bundle, 'app_version': app_version, 'os_version': os_version,
      'device_model': device_model}, number) AS head,
    coalesce(arg_min(app, number), 'unknown') AS app,
    coalesce(arg_min(date, number), 'unknown') AS date
  FROM traces
  GROUP BY path
), originals AS (
  SELECT
    *,
    first(path) OVER (
      PARTITION BY if(is_comparable, identity, path)
      ORDER BY CASE head.format WHEN 'lctrace' THEN 0 WHEN 'ndjson' THEN 1 WHEN 'timeline' THEN 2
        ELSE 3 END, path) AS original
  FROM files
)
SELECT
  path, CASE WHEN traces = 0 THEN 'unreadable' WHEN is_damaged THEN 'damaged' ELSE 'checked' END
    AS status,
  error, NULL::BIGINT AS bytes, head.format, traces, events, launches, findings,
  head.completeness, incomplete, head.trace_id, head.bundle, head.app_version, head.os_version,
  head.device_model, if(original <> path, original, NULL) AS copy_of, app, date
FROM originals;

-- What holds the same trace as another file counts once.
CREATE OR REPLACE TEMP VIEW counted AS
SELECT * FROM traces
WHERE number IS NOT NULL
  AND path IN (SELECT path FROM captures WHERE copy_of IS NULL);

CREATE OR REPLACE TEMP VIEW findings AS
SELECT path, number, trace_id, bundle, app_version, os_version, device_model, x.*, app, date
FROM (SELECT * EXCLUDE (findings, launches), unnest(findings) AS x FROM counted);

CREATE OR REPLACE TEMP VIEW durations AS
SELECT path, number, trace_id, bundle, app_version, os_version, device_model, x.*, app, date
FROM (SELECT * EXCLUDE (findings, launches), unnest(measures.durations) AS x FROM counted);

CREATE OR REPLACE TEMP VIEW launches AS
SELECT
  path, number, trace_id, bundle, app_version, os_version, device_model, x.*,
  list_filter(measures.terminations, lambda e: e.launch = x.launch)[1].rule AS end_rule, app, date
FROM (SELECT * EXCLUDE (findings, launches), unnest(measures.launches) AS x FROM counted);
