// Ties episodes to the concepts that they mention.
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, key: row.key})
MATCH (c:Concept {tenant: $tenant, key: row.concept})
OPTIONAL MATCH (e)-[wait:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'concept', key: row.concept})
DELETE wait
CREATE (e)-[:MENTIONS {tenant: $tenant, from: 'episode:' + e.key, to: 'concept:' + c.key}]->(c)
