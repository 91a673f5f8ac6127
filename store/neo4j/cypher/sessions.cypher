UNWIND $keys AS key
MATCH (s:Session {tenant: $tenant, key: key})
RETURN s.key AS key
