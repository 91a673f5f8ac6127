MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.name = a.key
