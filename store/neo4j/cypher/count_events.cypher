OPTIONAL MATCH (e:Episode {tenant: $tenant, key: $key})
RETURN coalesce(size(e.eventTypes), 0) AS n
