// Lets traces that failed be tried again at once.
MATCH (f:FailingTrace {tenant: $tenant}) WHERE f.key IS NOT NULL // for the index
DELETE f
