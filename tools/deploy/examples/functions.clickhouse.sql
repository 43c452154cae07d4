-- SPDX-License-Identifier: Apache-2.0
-- The same as functions.duckdb.sql by ClickHouse, whose table keeps what was loaded. Not run by a
-- test. Rows are added by
--
--     clickhouse-client --input_format_skip_unknown_fields 1 \
--         --query 'INSERT INTO samples FORMAT JSONEachRow' < deltas.ndjson
CREATE TABLE IF NOT EXISTS samples (
    profile String,
    time_nanos Int64,
    duration_nanos Int64,
    value Map(String, Int64),
    stack Array(Tuple(function String, file String, line Int64)),
    labels Map(String, Array(String)),
    num_labels Map(String, Array(Int64)),
    num_units Map(String, Array(String))
) ENGINE = MergeTree ORDER BY (profile, time_nanos);

SELECT splitByChar('/', profile)[-2] AS service,
       if(empty(stack), '(no stack)', stack[1].function) AS function,
       sum(value['alloc_space/bytes']) AS bytes
FROM samples
GROUP BY service, function
ORDER BY service, bytes DESC, function
LIMIT 10 BY service;
