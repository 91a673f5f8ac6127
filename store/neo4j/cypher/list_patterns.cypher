MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, {{range .Fixed}}{{.}}, {{end}}rate, total, key)
WHERE p.tenant = $tenant{{range .Fixed}} AND p.{{.}} = ${{.}}{{end}} AND p.rate >= $minRate AND p.rate <= $bestRate
  AND p.total >= $minTotal AND p.key IS NOT NULL
  AND ($kind IS NULL OR p.kind = $kind)
  AND ($sectionType IS NULL OR p.sectionType = $sectionType)
  AND ($contextKey IS NULL OR p.contextKey = $contextKey)
{{- if .After}}
  AND CASE p.rate WHEN $bestRate THEN p.total < $afterTotal OR p.total = $afterTotal AND p.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(p) AS n
{{- else}}
RETURN p
ORDER BY p.tenant DESC, {{range .Fixed}}p.{{.}} DESC, {{end}}p.rate DESC, p.total DESC, p.key LIMIT $limit
{{- end}}
