// Lets go of all that is held of traces, with what is known of their failures.
UNWIND $keys AS key
OPTIONAL MATCH (f:FailingTrace {tenant: $tenant, key: key})
DELETE f
WITH key
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = key AND s.key IS NOT NULL
DELETE s
RETURN count(*) AS spans
