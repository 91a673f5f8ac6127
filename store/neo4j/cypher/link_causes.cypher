// Ties effects to their causes.
UNWIND $rows AS row
MATCH (effect:Episode {tenant: $tenant, key: row.key})
MATCH (cause:Episode {tenant: $tenant, key: row.cause})
OPTIONAL MATCH (effect)-[wait:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'episode', key: row.cause})
DELETE wait
CREATE (effect)-[:CAUSED_BY {tenant: $tenant, from: 'episode:' + effect.key, to: 'episode:' + cause.key}]->(cause)
