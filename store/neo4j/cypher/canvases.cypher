UNWIND $keys AS key
MATCH (c:Canvas {tenant: $tenant, key: key})
RETURN c
