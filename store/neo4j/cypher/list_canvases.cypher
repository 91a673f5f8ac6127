MATCH (c:Canvas) USING INDEX SEEK c:Canvas(tenant, {{.Owner}}, createdAt, key)
WHERE c.tenant = $tenant AND c.{{.Owner}} = $owner AND c.createdAt >= $since AND c.createdAt <= $until AND c.key IS NOT NULL
{{- if .After}}
  AND CASE c.createdAt WHEN $until THEN c.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(c) AS n
{{- else}}
WITH c ORDER BY c.tenant DESC, c.{{.Owner}} DESC, c.createdAt DESC, c.key LIMIT $limit
RETURN c
ORDER BY c.createdAt DESC, c.key
{{- end}}
