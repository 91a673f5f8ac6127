// Lets go of all that is held of the trace that an episode was made of.
MATCH (s:HeldSpan {tenant: $tenant, trace: $key})
DELETE s
