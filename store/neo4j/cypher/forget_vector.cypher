MATCH (e:Episode {tenant: $tenant, key: $key})
SET e += $nothing
