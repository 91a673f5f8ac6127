// Takes an agent's name away.
MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.name = a.key
RETURN a.key AS key
