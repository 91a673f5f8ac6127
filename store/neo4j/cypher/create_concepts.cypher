// Creates concepts in their memoirs and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memoir {tenant: $tenant, key: row.memoir})
  CREATE (c:Concept) SET c = row
  CREATE (m)-[:CONTAINS {tenant: $tenant, from: 'memoir:' + m.key, to: 'concept:' + c.key}]->(c)
}
{{template "waiting.cypher" .}}
