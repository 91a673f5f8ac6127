// Lets go of spans; with the last of a trace goes what is known of its failures.
CALL () {
  UNWIND $keys AS key
  MATCH (s:HeldSpan {tenant: $tenant, trace: $trace, key: key})
  DELETE s
}
MATCH (f:FailingTrace {tenant: $tenant, key: $trace})
WHERE NOT EXISTS {
  MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
  WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
}
DELETE f
