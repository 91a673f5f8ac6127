{{- /* Deletes records of a label and tells what they waited for and which sessions they were in. */ -}}
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
WITH collect(n) AS deleted
CALL (deleted) {
  UNWIND deleted AS n
  MATCH (n)-[:WAITS_FOR]->(w:Waiting)
  RETURN collect(DISTINCT {kind: w.kind, key: w.key}) AS waits
}
CALL (deleted) {
  UNWIND deleted AS n
  MATCH (n)-[:IN_SESSION]->(s:Session)
  RETURN collect(DISTINCT s.key) AS sessions
}
FOREACH (n IN deleted | DETACH DELETE n)
RETURN size(deleted) AS count, waits, sessions
