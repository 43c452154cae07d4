-- SPDX-License-Identifier: Apache-2.0
-- For each service the ten functions that allocated most in the deltas of a fleet, by DuckDB. The
-- rows are those of `pprofdelta export ndjson -o deltas.ndjson 'out/*/*'`: a service is the folder
-- that its deltas lie in, and what a delta has is what its counters grew by. Times between deltas
-- and labels are there to choose by, such as `WHERE labels['tenant'][1] = 'a'`.
SELECT service, "function", sum(bytes)::BIGINT AS bytes
FROM (
    SELECT split_part(profile, '/', -2) AS service,
           coalesce(stack[1]."function", '(no stack)') AS "function",
           "value"['alloc_space/bytes'] AS bytes
    FROM read_json('deltas.ndjson', format = 'newline_delimited',
                   maximum_object_size = 1073741824,
                   columns = {
                       profile: 'VARCHAR', time_nanos: 'BIGINT', duration_nanos: 'BIGINT',
                       "value": 'MAP(VARCHAR, BIGINT)',
                       stack: 'STRUCT("function" VARCHAR, file VARCHAR, line BIGINT)[]',
                       labels: 'MAP(VARCHAR, VARCHAR[])',
                       num_labels: 'MAP(VARCHAR, BIGINT[])',
                       num_units: 'MAP(VARCHAR, VARCHAR[])'
                   })
)
GROUP BY service, "function"
QUALIFY row_number() OVER (PARTITION BY service ORDER BY sum(bytes) DESC, "function") <= 10
ORDER BY service, bytes DESC, "function";
