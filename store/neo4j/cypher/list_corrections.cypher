MATCH (n:Correction) USING INDEX SEEK n:Correction(tenant, {{if .Topic}}topic, {{end}}createdAt, key)
WHERE n.tenant = $tenant{{if .Topic}} AND n.topic = $topic{{end}} AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if .After}}
  AND CASE n.createdAt WHEN $until THEN n.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(n) AS n
{{- else}}
WITH n ORDER BY n.tenant DESC, {{if .Topic}}n.topic DESC, {{end}}n.createdAt DESC, n.key LIMIT $limit
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
ORDER BY n.createdAt DESC, n.key
{{- end}}
