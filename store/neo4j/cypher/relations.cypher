{{- /* Of every type and direction the first relations of each concept, as an index has them in order. */ -}}
CALL () {
{{- range $i, $type := .}}{{if $i}}
  UNION ALL{{end}}
  UNWIND $out.{{.}} AS id
  CALL (id) {
    MATCH ()-[r:{{.}}]->() USING INDEX r:{{.}}(tenant, from, to)
    WHERE r.tenant = $tenant AND r.from = id AND r.to > ''
    RETURN r ORDER BY r.tenant, r.from, r.to LIMIT $limit
  }
  RETURN id, '{{.}}' AS type, r.from AS source, r.to AS target, r.createdAt AS at
  UNION ALL
  UNWIND $in.{{.}} AS id
  CALL (id) {
    MATCH ()-[r:{{.}}]->() USING INDEX r:{{.}}(tenant, to, from)
    WHERE r.tenant = $tenant AND r.to = id AND r.from > ''
    RETURN r ORDER BY r.tenant, r.to, r.from LIMIT $limit
  }
  RETURN id, '{{.}}' AS type, r.from AS source, r.to AS target, r.createdAt AS at
{{- end}}
}
RETURN id, type, source, target, at ORDER BY id, type, source, target
