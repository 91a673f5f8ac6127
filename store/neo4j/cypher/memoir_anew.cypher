MATCH (m:Memoir {tenant: $tenant, key: $key})
SET m.name = 'memoir:' + m.key, m.description = null,
    m.createdAt = coalesce(COLLECT { MATCH (m)-[:CONTAINS]->(c) WHERE c.createdAt IS :: ZONED DATETIME NOT NULL RETURN min(c.createdAt) }[0], $none)
