// Walks over records of all kinds. Those that have few links are read at once; the links of those that have many are
// looked up type by type, as an index has them in order.

// part: records
// The nodes n of the records of the keys in $keys, by kind, with their global ids.
CALL () {
{{- range $kind := kinds}}
  UNWIND $keys.{{$kind}} AS key
  MATCH (n:{{label $kind}} {tenant: $tenant, key: key})
  RETURN n, '{{$kind}}:' + key AS id
  UNION ALL
{{- end}}
  UNWIND [] AS n
  RETURN n, '' AS id
}

// name: exist
// Which records are there, by their global ids.
{{template "records"}}
RETURN id

// name: neighbours
// The first neighbours of records that have few links, all of which are read; and of those that have
// many, before all neighbours, which types of links they have, as "RAN>" for those that leave and ">RAN" for those that
// arrive. The neighbours are rows throughout: of a list that each row carried along, each would count as memory.
{{template "records"}}
WITH n, id, COUNT { (n)--() } > $few AS many
CALL (n, id, many) {
  WITH n, id, many WHERE NOT many
  MATCH (n)-[r]-()
  WITH r, id WHERE r.from = id AND type(r) IN $out OR r.to = id AND type(r) IN $in
  RETURN CASE r.from WHEN id THEN r.to ELSE r.from END AS neighbour, null AS hub
  UNION ALL
  WITH n, id, many WHERE many
  RETURN null AS neighbour, [id
    {{- range .}}, CASE WHEN COUNT { (n)-[:{{.Name}}]->() } > 0 THEN '{{.Name}}>' END, CASE WHEN COUNT { (n)<-[:{{.Name}}]-() } > 0 THEN '>{{.Name}}' END
    {{- end}}] AS hub
}
WITH DISTINCT neighbour, hub WHERE hub IS NOT NULL OR neighbour > $after
ORDER BY hub, neighbour LIMIT $limit
RETURN neighbour, [link IN hub WHERE link IS NOT NULL] AS hub

// name: neighbours_of_hubs
// The first neighbours by one type of link in one direction, as an index has them in order.
UNWIND $ids AS id
CALL (id) {
  MATCH ()-[r:{{.Type}}]->() USING INDEX SEEK r:{{.Type}}(tenant, {{.Near}}, {{.Far}})
  WHERE r.tenant = $tenant AND r.{{.Near}} = id AND r.{{.Far}} > $after
  RETURN r.{{.Far}} AS neighbour ORDER BY r.tenant, r.{{.Near}}, r.{{.Far}} LIMIT $limit
}
RETURN DISTINCT neighbour ORDER BY neighbour LIMIT $limit

// name: links_between
// The links from records that have few, all of which are read, to others; and which records have many,
// before all links, as links to nothing.
{{template "records"}}
WITH n, id, COUNT { (n)--() } > $few AS many
CALL (n, id, many) {
  WITH n, id, many WHERE NOT many
  MATCH (n)-[r]-()
  WITH r, id WHERE type(r) IN $relations
  WITH r.from AS source, r.to AS target, type(r) AS type, id
  WHERE source = id AND target IN $others OR target = id AND source IN $others
  RETURN source, target, type
  UNION ALL
  WITH id, many WHERE many
  RETURN id AS source, '' AS target, '' AS type
}
WITH DISTINCT source, target, type ORDER BY target <> '', source, target, type LIMIT $limit
RETURN source, target, type

// name: links_of_hubs
// The links of one type from any of some records to any of others, looked up one by one.
UNWIND $sources AS source
UNWIND $targets AS target
MATCH ()-[r:{{.}}]->() USING INDEX SEEK r:{{.}}(tenant, from, to)
WHERE r.tenant = $tenant AND r.from = source AND r.to = target
RETURN DISTINCT source, target, '{{.}}' AS type ORDER BY source, target LIMIT $limit
