// Lets go of all that is held of traces, with what is known of their failures.
UNWIND $keys AS key
OPTIONAL MATCH (f:FailingTrace {tenant: $tenant, key: key})
DELETE f
WITH key
MATCH (s:HeldSpan {tenant: $tenant, trace: key})
DELETE s
RETURN count(*) AS spans
