UNWIND $keys AS key
MATCH (from:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE from.knownAt <= $asOf{{end}}
{{- if eq .Link "causedBy"}}
MATCH (from)-[:CAUSED_BY]->(e:Episode)
{{- if .AsOf}}
WHERE e.knownAt <= $asOf{{end}}
WITH from, e ORDER BY e.startedAt, e.key
{{- else if eq .Link "causes"}}
MATCH (from)<-[:CAUSED_BY]-(e:Episode)
{{- if .AsOf}}
WHERE e.knownAt <= $asOf{{end}}
WITH from, e ORDER BY e.startedAt, e.key
{{- else if eq .Link "previous"}}
CALL (from) {
  MATCH (e:Episode) USING INDEX e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt <= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key < from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  RETURN e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT 1
}
{{- else}}
CALL (from) {
  MATCH (e:Episode) USING INDEX e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt >= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key > from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  RETURN e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
}
{{- end}}
RETURN from.key AS origin, {{template "episode.cypher" .}}
