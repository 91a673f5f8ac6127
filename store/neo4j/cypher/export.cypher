{{- /* A page of the records of a label by key, with what each names and what it waits for. */ -}}
MATCH (n:{{.Label}})
WHERE n.tenant = $tenant AND n.key > $after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN n
{{- range .Named}},
  COLLECT { MATCH (n)-[r:{{.}}]->() RETURN r.to } AS {{.}}{{end}}
{{- if .Waits}},
  COLLECT { MATCH (n)-[:WAITS_FOR]->(w:Waiting) RETURN [w.kind, w.key] } AS waits{{end}}
