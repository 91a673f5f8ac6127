// Lets go of all that is held of the traces that episodes were made of.
UNWIND $keys AS key
MATCH (s:HeldSpan {tenant: $tenant, trace: key})
DELETE s
