{{- /* Links of each record to the others: read and compared where it has few, else looked up one by one. */ -}}
CALL () {
{{- range $i, $link := .}}{{if $i}}
  UNION{{end}}
  UNWIND $out.{{.Name}} AS id
  CALL (id) {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, from, to)
    WHERE r.tenant = $tenant AND r.from = id AND r.to > ''
    WITH r.to AS other LIMIT $few + 1
    RETURN collect(other) AS first
  }
  UNWIND CASE WHEN size(first) > $few THEN $others ELSE first END AS other
  WITH id, other, size(first) > $few AS many
  WHERE many AND EXISTS {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, from, to)
    WHERE r.tenant = $tenant AND r.from = id AND r.to = other
  } OR NOT many AND other IN $others
  RETURN id AS source, other AS target, '{{.Name}}' AS type
  UNION
  UNWIND $in.{{.Name}} AS id
  CALL (id) {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, to, from)
    WHERE r.tenant = $tenant AND r.to = id AND r.from > ''
    WITH r.from AS other LIMIT $few + 1
    RETURN collect(other) AS first
  }
  UNWIND CASE WHEN size(first) > $few THEN $others ELSE first END AS other
  WITH id, other, size(first) > $few AS many
  WHERE many AND EXISTS {
    MATCH ()-[r:{{.Name}}]->() USING INDEX r:{{.Name}}(tenant, to, from)
    WHERE r.tenant = $tenant AND r.to = id AND r.from = other
  } OR NOT many AND other IN $others
  RETURN other AS source, id AS target, '{{.Name}}' AS type
{{- end}}
}
RETURN DISTINCT source, target, type ORDER BY source, target, type LIMIT $limit
