// How many traces are held of each tenant, and which of them failed many times.
MATCH (s:HeldSpan)
WITH s.tenant AS tenant, count(DISTINCT s.trace) AS held
OPTIONAL MATCH (f:FailingTrace {tenant: tenant}) WHERE f.failures >= $many
WITH tenant, held, f ORDER BY f.key
RETURN tenant, held, collect(f {.key, .failures, .reason}) AS failing
