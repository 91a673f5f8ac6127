OPTIONAL MATCH (e:Episode {tenant: $tenant, key: $key})
RETURN size(CASE WHEN e.eventTypes IS :: LIST<ANY> NOT NULL THEN e.eventTypes ELSE [] END) AS n
