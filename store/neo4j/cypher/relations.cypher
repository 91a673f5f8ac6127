{{- /* The relations of concepts that have few links, all of which are read; and which have many. */ -}}
UNWIND $keys AS key
MATCH (n:Concept {tenant: $tenant, key: key})
WITH n, 'concept:' + key AS id, COUNT { (n)--() } > $few AS many
CALL (n, id, many) {
  WITH n, id, many WHERE NOT many
  MATCH (n)-[r]-()
  WHERE r.from = id AND type(r) IN $out OR r.to = id AND type(r) IN $in
  RETURN r
  UNION ALL
  WITH many WHERE many
  RETURN null AS r
}
WITH id, r, type(r) AS type, r.from AS source, r.to AS target, r.createdAt AS at
RETURN id, type, source, target, at ORDER BY id, type, source, target
