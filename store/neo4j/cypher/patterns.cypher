UNWIND $keys AS key
MATCH (p:Pattern {tenant: $tenant, key: key})
RETURN p
