// Links two concepts, once: the lock on the source makes whoever comes second see the link. Not by MERGE: where a type has
// no links yet, its properties are looked for through the whole index.
MATCH (source:Concept {tenant: $tenant, key: $source})
SET source.tenant = source.tenant
WITH source
MATCH (target:Concept {tenant: $tenant, key: $target}) USING INDEX SEEK target:Concept(tenant, key)
OPTIONAL MATCH (source)-[old:{{.}}]->(target)
FOREACH (_ IN CASE WHEN old IS NULL THEN [source] ELSE [] END |
  CREATE (source)-[:{{.}} {tenant: $tenant, from: 'concept:' + source.key, to: 'concept:' + target.key, createdAt: $at}]->(target))
RETURN coalesce(old.createdAt, $at) AS at, old IS NOT NULL AS known
