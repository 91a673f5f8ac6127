{{- /* The same, the latest first. */ -}}
MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, createdAt, key)
WHERE n.tenant = $tenant AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if .After}}
  AND CASE n.createdAt WHEN $until THEN n.key > $afterKey ELSE true END{{end}}
WITH n ORDER BY n.tenant DESC, n.createdAt DESC, n.key
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used
WITH n, n.createdAt AS created, n.key AS key, {{template "weight.cypher" .}} AS weight
{{- /* */ -}}
