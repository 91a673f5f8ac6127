{{- /* The observations that are lighter than asked for and not pinned. */ -}}
MATCH (n:Observation) USING INDEX n:Observation(tenant, importance, accessCount, usedAt, createdAt, key)
WHERE n.tenant = $tenant AND n.importance IS NOT NULL AND n.accessCount IS NOT NULL AND n.usedAt IS NOT NULL
  AND n.createdAt IS NOT NULL AND n.key IS NOT NULL AND NOT n.importance IN $pinned
  AND {{template "weight.cypher" .}} < $minWeight
{{- /* */ -}}
