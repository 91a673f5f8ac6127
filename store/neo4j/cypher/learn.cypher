// Writes profiles and where their executions are, and tells what has been waiting for those that are new.
CALL () {
  UNWIND $created AS row
  MERGE (a:Agent {tenant: $tenant, key: row.agent}) ON CREATE SET a.name = a.key
  CREATE (p:LearningProfile) SET p = row
  CREATE (p)-[:OF {tenant: $tenant, from: 'learningProfile:' + p.key, to: 'agent:' + a.key}]->(a)
}
CALL () {
  UNWIND $updated AS row
  MATCH (p:LearningProfile {tenant: $tenant, key: row.key})
  SET p = row
}
CALL () {
  UNWIND $emptied AS key
  MATCH (p:LearningProfile {tenant: $tenant, key: key})
  DETACH DELETE p
}
CALL () {
  UNWIND $moved AS row
  MATCH (x:Execution {tenant: $tenant, key: row.key})
  SET x += row.archived
}
CALL () {
  UNWIND $executions AS row
  MATCH (p:LearningProfile {tenant: $tenant, key: row.profile})
  CREATE (x:Execution {tenant: $tenant, key: row.key, profile: row.profile, inputHash: row.inputHash})
  SET x += row.archived
  CREATE (x)-[:OF {tenant: $tenant, from: 'execution:' + x.key, to: 'learningProfile:' + p.key}]->(p)
  WITH x, row WHERE row.episode IS NOT NULL
  MATCH (e:Episode {tenant: $tenant, key: row.episode})
  CREATE (x)-[:FROM {tenant: $tenant, from: 'execution:' + x.key, to: 'episode:' + e.key}]->(e)
}
{{template "waiting.cypher" .}}
