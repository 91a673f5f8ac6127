MATCH (c:Concept {tenant: $tenant, key: $key})
SET c += $properties
