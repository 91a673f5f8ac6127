// Writes anew what cannot be read of a memoir. A hash cannot be: a repetition of the call is refused then.
MATCH (m:Memoir {tenant: $tenant, key: $key})
SET m.name = CASE WHEN m.name IS :: STRING NOT NULL THEN m.name ELSE 'memoir:' + m.key END,
    m.description = CASE WHEN m.description IS :: STRING NOT NULL THEN m.description END,
    m.createdAt = CASE WHEN m.createdAt >= $first AND m.createdAt <= $last THEN m.createdAt
      ELSE coalesce(COLLECT { MATCH (m)-[:CONTAINS]->(c) WHERE c.createdAt IS :: ZONED DATETIME NOT NULL RETURN min(c.createdAt) }[0], $none) END,
    m.inputHash = CASE WHEN m.inputHash =~ '[A-Za-z0-9+/]*' AND size(m.inputHash) % 4 <> 1 THEN m.inputHash END
