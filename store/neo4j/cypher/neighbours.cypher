{{- /* The first neighbours of records that have few links, all of which are read; and of those that have
many, which types of links they have, as "RAN>" for those that leave and ">RAN" for those that arrive. */ -}}
{{template "records.cypher" .Labels}}
WITH n, id, COUNT { (n)--() } > $few AS many
CALL (n, id, many) {
  WITH n, id, many WHERE NOT many
  MATCH (n)-[r]-()
  WITH r, id WHERE r.from = id AND type(r) IN $out OR r.to = id AND type(r) IN $in
  RETURN CASE r.from WHEN id THEN r.to ELSE r.from END AS neighbour, null AS hub
  UNION ALL
  WITH n, id, many WHERE many
  RETURN null AS neighbour, [id
    {{- range .Links}}, CASE WHEN COUNT { (n)-[:{{.Name}}]->() } > 0 THEN '{{.Name}}>' END, CASE WHEN COUNT { (n)<-[:{{.Name}}]-() } > 0 THEN '>{{.Name}}' END
    {{- end}}] AS hub
}
WITH collect(DISTINCT CASE WHEN neighbour > $page.after THEN neighbour END) AS near, collect(DISTINCT hub) AS hubs
CALL (near) {
  UNWIND near AS neighbour
  WITH neighbour ORDER BY neighbour LIMIT $limit
  RETURN collect(neighbour) AS first
}
RETURN first AS neighbours, [hub IN hubs | [link IN hub WHERE link IS NOT NULL]] AS hubs
