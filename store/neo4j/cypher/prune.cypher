// Removes those of some observations that still weigh too little once each is locked: they may have been read meanwhile.
UNWIND $keys AS key
MATCH (n:Observation {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used
WITH n, importance, {{template "weight.cypher" .}} AS weight
WHERE importance IS NOT NULL AND weight < $minWeight AND NOT importance IN $pinned
WITH collect(n) AS pruned
CALL (pruned) {
  UNWIND pruned AS n
  MATCH (n)-[:WAITS_FOR]->(w:Waiting)
  RETURN collect(DISTINCT {kind: w.kind, key: w.key}) AS waits
}
CALL (pruned) {
  UNWIND pruned AS n
  WITH n WHERE n.session IS NOT NULL
  RETURN collect(DISTINCT n.session) AS sessions
}
WITH pruned, waits, sessions, size(pruned) AS count
FOREACH (n IN pruned | DETACH DELETE n)
RETURN count AS pruned, waits, sessions
