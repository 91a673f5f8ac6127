// Locks profiles, there or not, as lock.cypher does, and tells what is there of them and of executions.
CALL () {
  UNWIND $profiles AS key
  MERGE (p:LearningProfile {tenant: $tenant, key: key}) ON CREATE SET p.placeholder = true
  SET p.tenant = p.tenant
  WITH p, p.placeholder IS NULL AS known, p.tenant IS NULL AS gone
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [p] END | DELETE placeholder)
  WITH p, known, gone
  RETURN collect(CASE WHEN known AND NOT gone THEN p END) AS profiles, count(CASE WHEN gone THEN 1 END) AS gone
}
CALL () {
  MATCH (x:Execution) WHERE x.tenant = $tenant AND x.key IN $executions
  RETURN collect(x) AS executions
}
RETURN profiles, executions, gone
