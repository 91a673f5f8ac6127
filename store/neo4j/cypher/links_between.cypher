{{- /* The links from records that have few, all of which are read, to others; and which records have many,
before all links. */ -}}
{{template "records.cypher" .}}
WITH n, id, COUNT { (n)--() } > $few AS many
CALL (n, id, many) {
  WITH n, id, many WHERE NOT many
  MATCH (n)-[r]-()
  WITH r, id WHERE type(r) IN $relations
  WITH r.from AS source, r.to AS target, type(r) AS type, id
  WHERE source = id AND target IN $others OR target = id AND source IN $others
  RETURN source, target, type, null AS hub
  UNION ALL
  WITH id, many WHERE many
  RETURN null AS source, null AS target, null AS type, id AS hub
}
WITH DISTINCT source, target, type, hub ORDER BY hub, source, target, type LIMIT $limit
RETURN source, target, type, hub
