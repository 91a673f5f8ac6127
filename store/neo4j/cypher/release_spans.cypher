UNWIND $keys AS key
MATCH (s:HeldSpan {tenant: $tenant, trace: $trace, key: key})
DELETE s
