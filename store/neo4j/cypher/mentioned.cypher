UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})-[:MENTIONS]->(c:Concept)
RETURN e.key AS episode, c
ORDER BY c.name, c.key
