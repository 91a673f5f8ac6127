// Notes that a trace of which something is held failed.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH count(s) AS held WHERE held > 0
MERGE (f:FailingTrace {tenant: $tenant, key: $trace})
SET f.failures = $failures, f.retryAt = $retry, f.reason = $reason
