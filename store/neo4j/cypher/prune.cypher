// Removes observations. Each is locked, and weighed again, because it may have been read meanwhile.
{{template "prunable.cypher" .}}
WITH n ORDER BY n.key
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL AND {{template "weight.cypher" .}} < $minWeight
WITH collect(n) AS pruned
CALL (pruned) {
  UNWIND pruned AS n
  MATCH (n)-[:WAITS_FOR]->(w:Waiting)
  RETURN collect(DISTINCT {kind: w.kind, key: w.key}) AS waits
}
WITH pruned, waits, COLLECT { UNWIND pruned AS n WITH DISTINCT n.session AS session WHERE session IS NOT NULL RETURN session } AS sessions,
  size(pruned) AS count
FOREACH (n IN pruned | DETACH DELETE n)
RETURN count AS pruned, waits, sessions
