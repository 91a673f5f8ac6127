{{- /* The judgements that follow a place, oldest first: those of the same time whose keys are greater, and
those of later times. Either is a stretch of the index, in whose order keys are compared byte by byte. */ -}}
CALL () {
{{- if .After}}
  MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{if .Judge}}judge, {{end}}at, key)
  WHERE v.tenant = $tenant{{if .Judge}} AND v.judge = $judge{{end}} AND v.at = $at AND v.key > $afterKey
  RETURN v ORDER BY v.tenant, {{if .Judge}}v.judge, {{end}}v.at, v.key LIMIT $limit
  UNION ALL
{{- end}}
  MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{if .Judge}}judge, {{end}}at, key)
  WHERE v.tenant = $tenant{{if .Judge}} AND v.judge = $judge{{end}} AND v.at > $at AND v.key IS NOT NULL
  RETURN v ORDER BY v.tenant, {{if .Judge}}v.judge, {{end}}v.at, v.key LIMIT $limit
}
WITH v ORDER BY v.at, v.key LIMIT $limit
RETURN {{template "judgement.cypher"}}
ORDER BY v.at, v.key
