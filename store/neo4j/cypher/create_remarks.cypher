// Creates remarks and tells what has been waiting for them and for their sessions.
CALL () {
  UNWIND $rows AS row
  CREATE (n:{{.Label}}) SET n = row
  FOREACH (key IN CASE WHEN row.session IS NULL THEN [] ELSE [row.session] END |
    MERGE (s:Session {tenant: $tenant, key: key})
    CREATE (n)-[:IN_SESSION {tenant: $tenant, from: '{{.Kind}}:' + n.key, to: 'session:' + key}]->(s))
}
{{template "waiting.cypher" .}}
