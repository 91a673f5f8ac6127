MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{with .Fixed}}{{.}}, {{end}}at, key)
WHERE v.tenant = $tenant{{with .Fixed}} AND v.{{.}} = ${{.}}{{end}} AND v.at >= $since AND v.at <= $until AND v.key IS NOT NULL
  AND ($section IS NULL OR v.section = $section)
  AND ($run IS NULL OR v.run = $run)
  AND ($judge IS NULL OR v.judge = $judge)
  AND ($sectionType IS NULL OR v.sectionType = $sectionType)
{{- if .After}}
  AND CASE v.at WHEN $until THEN v.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(v) AS n
{{- else}}
RETURN v
ORDER BY v.tenant DESC, {{with .Fixed}}v.{{.}} DESC, {{end}}v.at DESC, v.key LIMIT $limit
{{- end}}
