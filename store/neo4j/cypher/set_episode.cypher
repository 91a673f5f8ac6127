MATCH (e:Episode {tenant: $tenant, key: $key})
SET e += $properties
