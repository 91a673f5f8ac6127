UNWIND $rows AS row
MERGE (a:Agent {tenant: $tenant, key: row.properties.agent}) ON CREATE SET a.name = a.key
FOREACH (name IN CASE WHEN row.agentName IS NULL THEN [] ELSE [row.agentName] END | SET a.name = name)
CREATE (e:Episode) SET e = row.properties
CREATE (a)-[:RAN {tenant: $tenant, from: 'agent:' + a.key, to: 'episode:' + e.key}]->(e)
FOREACH (key IN CASE WHEN row.properties.session IS NULL THEN [] ELSE [row.properties.session] END |
  MERGE (s:Session {tenant: $tenant, key: key})
  CREATE (e)-[:IN_SESSION {tenant: $tenant, from: 'episode:' + e.key, to: 'session:' + key}]->(s))
FOREACH (key IN row.executions |
  MERGE (x:ExecutionID {tenant: $tenant, key: key})
  CREATE (e)-[:COVERS]->(x))
