{{- /* Of every type and direction the first links of each record, as an index has them in order. */ -}}
CALL () {
{{- range $i, $link := .}}{{if $i}}
  UNION{{end}}
  UNWIND $out.{{.Name}} AS id
  CALL (id) {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, from, to)
    WHERE r.tenant = $tenant AND r.from = id AND r.to > $after
    RETURN r.to AS neighbour ORDER BY r.tenant, r.from, r.to LIMIT $limit
  }
  RETURN neighbour
  UNION
  UNWIND $in.{{.Name}} AS id
  CALL (id) {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, to, from)
    WHERE r.tenant = $tenant AND r.to = id AND r.from > $after
    RETURN r.from AS neighbour ORDER BY r.tenant, r.to, r.from LIMIT $limit
  }
  RETURN neighbour
{{- end}}
}
RETURN DISTINCT neighbour ORDER BY neighbour LIMIT $limit
