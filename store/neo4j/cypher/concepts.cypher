UNWIND $keys AS key
MATCH (c:Concept {tenant: $tenant, key: key})
RETURN c
