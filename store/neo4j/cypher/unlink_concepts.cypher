MATCH (source:Concept {tenant: $tenant, key: $source})
SET source.tenant = source.tenant
WITH source
MATCH (target:Concept {tenant: $tenant, key: $target}) USING INDEX SEEK target:Concept(tenant, key)
MATCH (source)-[r:{{.}}]->(target)
DELETE r
RETURN count(r) AS removed
