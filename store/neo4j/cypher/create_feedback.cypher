// Creates feedback and tells what has been waiting for it and for its session.
CALL () {
  UNWIND $rows AS row
  CREATE (f:Feedback) SET f = row
  FOREACH (key IN CASE WHEN row.session IS NULL THEN [] ELSE [row.session] END |
    MERGE (s:Session {tenant: $tenant, key: key})
    CREATE (f)-[:IN_SESSION {tenant: $tenant, from: 'feedback:' + f.key, to: 'session:' + key}]->(s))
}
{{template "waiting.cypher" .}}
