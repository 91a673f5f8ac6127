MERGE (a:Agent {tenant: $tenant, key: $key})
SET a.name = $name
