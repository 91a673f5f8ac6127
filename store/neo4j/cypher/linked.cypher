{{- /* The episodes that others are linked to. A page of causes or effects is read as an index has them in
order, however many there are. */ -}}
UNWIND $keys AS key
MATCH (from:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE from.knownAt <= $asOf{{end}}
{{- if .Near}}
WITH from, 'episode:' + from.key AS id
CALL (id) {
  MATCH {{if eq .Near "from"}}()-[r:CAUSED_BY]->(e:Episode){{else}}()<-[r:CAUSED_BY]-(e:Episode){{end}} USING INDEX SEEK r:CAUSED_BY(tenant, {{.Near}}, {{.Far}})
  WHERE r.tenant = $tenant AND r.{{.Near}} = id AND r.{{.Far}} > $page.after{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  RETURN e ORDER BY r.tenant, r.{{.Near}}, r.{{.Far}} LIMIT $limit
}
{{- else if eq .Link "previous"}}
CALL (from) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt <= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key < from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  RETURN e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT 1
}
{{- else}}
CALL (from) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt >= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key > from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  RETURN e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
}
{{- end}}
RETURN from.key AS origin, {{template "episode.cypher" .}}
