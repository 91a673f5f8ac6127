// Lets traces that failed be tried again at once.
MATCH (f:FailingTrace {tenant: $tenant})
DELETE f
