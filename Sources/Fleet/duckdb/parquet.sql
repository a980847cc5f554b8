-- The tables of the ready queries, as the Spark job wrote them.
--   duckdb -cmd "SET VARIABLE tables = 'checked'" -f parquet.sql -f worst_versions.sql

CREATE OR REPLACE TEMP VIEW captures AS
SELECT * FROM read_parquet(
  getvariable('tables') || '/captures/*/*/*.parquet', hive_partitioning = true,
  hive_types_autocast = false);

CREATE OR REPLACE TEMP VIEW findings AS
SELECT * FROM read_parquet(
  getvariable('tables') || '/findings/*/*/*.parquet', hive_partitioning = true,
  hive_types_autocast = false);

CREATE OR REPLACE TEMP VIEW launches AS
SELECT * FROM read_parquet(
  getvariable('tables') || '/launches/*/*/*.parquet', hive_partitioning = true,
  hive_types_autocast = false);

CREATE OR REPLACE TEMP VIEW durations AS
SELECT * FROM read_parquet(
  getvariable('tables') || '/durations/*/*/*.parquet', hive_partitioning = true,
  hive_types_autocast = false);
