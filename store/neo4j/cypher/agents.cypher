UNWIND $keys AS key
MATCH (a:Agent {tenant: $tenant, key: key})
RETURN a.key AS key, a.name AS name
