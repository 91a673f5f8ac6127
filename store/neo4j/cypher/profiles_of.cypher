// The profiles of executions.
UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
RETURN DISTINCT x.profile AS profile
