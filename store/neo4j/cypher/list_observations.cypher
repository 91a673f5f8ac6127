{{- /* Observations with their weights, which an index has all the numbers for. */ -}}
{{- if and .LatestFirst (not .Count)}}
MATCH (n:Observation) USING INDEX n:Observation(tenant, createdAt, key)
WHERE n.tenant = $tenant AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if .After}}
  AND (n.createdAt < $until OR n.key > $afterKey){{end}}
{{- else}}
MATCH (n:Observation) USING INDEX n:Observation(tenant, importance, accessCount, usedAt, createdAt, key)
WHERE n.tenant = $tenant AND n.importance IS NOT NULL AND n.accessCount IS NOT NULL AND n.usedAt IS NOT NULL
  AND n.createdAt IS NOT NULL AND n.key IS NOT NULL
{{- end}}
WITH n, {{template "weight.cypher" .}} AS weight
WHERE weight >= {{if .MinWeight}}$minWeight{{else}}0{{end}}
{{- if .MaxWeight}} AND weight <= $maxWeight{{end}}
{{- if and .After (not .LatestFirst)}}
  AND (weight {{if .LightestFirst}}>{{else}}<{{end}} $afterWeight OR weight = $afterWeight
    AND (n.createdAt < $afterAt OR n.createdAt = $afterAt AND n.key > $afterKey))
{{- end}}
{{- if .Count}}
RETURN count(n) AS n
{{- else if .LatestFirst}}
WITH n ORDER BY n.tenant DESC, n.createdAt DESC, n.key LIMIT $limit
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
ORDER BY n.createdAt DESC, n.key
{{- else}}
WITH n, weight ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, n.createdAt DESC, n.key LIMIT $limit
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, n.createdAt DESC, n.key
{{- end}}
