// Deletes episodes with what only they own. Feedback of other episodes on its canvases stays and waits
// for those again; names of executions and waits that nobody uses any more go too.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
CALL (e) {
  MATCH (e)-[:PRESENTED]->(c:Canvas)<-[on:ON]-(f:Feedback)
  WHERE NOT EXISTS { (e)-[:RECEIVED]->(f) }
  DELETE on
  SET f.canvas = null
  MERGE (w:Waiting {tenant: $tenant, kind: 'canvas', key: c.key})
  CREATE (f)-[:WAITS_FOR]->(w)
}
CALL (e) {
  OPTIONAL MATCH (e)-[:PRESENTED]->(c:Canvas)
  RETURN collect(c) AS canvases
}
CALL (e) {
  OPTIONAL MATCH (e)-[:RECEIVED]->(f:Feedback)
  RETURN collect(f) AS feedback
}
CALL (e) {
  OPTIONAL MATCH (e)-[:COVERS]->(x:ExecutionID)
  RETURN collect(x) AS executions
}
WITH [e] + canvases + feedback AS deleted, [c IN canvases | c.key] AS canvases, [f IN feedback | f.key] AS feedback, executions,
     EXISTS { (e)<-[:FROM]-(:Execution) } AS counted
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
WITH executions, waits, sessions, counted, canvases, feedback
CALL (executions) {
  UNWIND executions AS x
  WITH x WHERE NOT EXISTS { (x)<-[:COVERS]-() }
  DELETE x
}
RETURN waits, sessions, counted, canvases, feedback
