// Lets go of spans; with the last of a trace goes what is known of its failures.
CALL () {
  UNWIND $keys AS key
  MATCH (s:HeldSpan {tenant: $tenant, trace: $trace, key: key})
  DELETE s
}
MATCH (f:FailingTrace {tenant: $tenant, key: $trace})
WHERE NOT EXISTS { (:HeldSpan {tenant: $tenant, trace: $trace}) }
DELETE f
