MATCH (source:Concept {tenant: $tenant, key: $source})
SET source.tenant = source.tenant
WITH source
MATCH (source)-[r:{{.}}]->(:Concept {tenant: $tenant, key: $target})
DELETE r
RETURN count(r) AS removed
