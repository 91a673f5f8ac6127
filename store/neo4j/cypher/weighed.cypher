{{- /* All observations n with their weights, created and key, from one index without a look at the nodes:
asked for ranges, as wide as they can be, and for each property once, Neo4j takes the values from there. */ -}}
MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, importance, accessCount, usedAt, createdAt, key)
WHERE n.tenant = $tenant AND n.importance >= '' AND n.accessCount >= 0 AND n.usedAt >= $since
  AND n.createdAt >= $since AND n.key >= ''
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used, n.createdAt AS created, n.key AS key
WITH n, importance, created, key, {{template "weight.cypher" .}} AS weight
{{- /* */ -}}
