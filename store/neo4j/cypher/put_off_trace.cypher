// Notes that a trace of which something is held failed.
MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
WITH count(s) AS held WHERE held > 0
MERGE (f:FailingTrace {tenant: $tenant, key: $trace})
SET f.failures = $failures, f.retryAt = $retry, f.reason = $reason
