UNWIND $keys AS key
MATCH (r:Run {tenant: $tenant, key: key})
RETURN r
