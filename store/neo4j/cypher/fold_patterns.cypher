// Writes patterns, links them to the sections that they were learned from, and tells what has been waiting
// for them.
CALL () {
  UNWIND $rows AS row
  MERGE (p:Pattern {tenant: $tenant, key: row.key})
  SET p = row.properties
  WITH p, row
  UNWIND row.sections AS section
  MATCH (s:Section {tenant: $tenant, key: section})
  CREATE (p)-[:LEARNED_FROM {tenant: $tenant, from: 'pattern:' + p.key, to: 'section:' + s.key}]->(s)
}
{{template "waiting.cypher" .}}
