// Links two concepts, once: the lock on the source makes whoever comes second see the link.
MATCH (source:Concept {tenant: $tenant, key: $source})
SET source.tenant = source.tenant
WITH source
MATCH (target:Concept {tenant: $tenant, key: $target})
WITH source, target, EXISTS { (source)-[:{{.}}]->(target) } AS known
MERGE (source)-[r:{{.}} {tenant: $tenant, from: 'concept:' + source.key, to: 'concept:' + target.key}]->(target)
ON CREATE SET r.createdAt = $at
RETURN r.createdAt AS at, known
