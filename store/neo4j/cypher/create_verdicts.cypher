// Creates verdicts, with the runs and the sections that begin with them, and tells what has been waiting for
// any of these. A run began with the earliest of its verdicts, in whatever order they come.
CALL () {
  UNWIND $runs AS row
  MERGE (r:Run {tenant: $tenant, key: row.key}) ON CREATE SET r.startedAt = row.startedAt
  WITH r, row WHERE row.startedAt < r.startedAt
  SET r.startedAt = row.startedAt
}
CALL () {
  UNWIND $sections AS row
  MATCH (r:Run {tenant: $tenant, key: row.run})
  CREATE (s:Section {tenant: $tenant, key: row.key, run: row.run})
  CREATE (s)-[:IN_RUN {tenant: $tenant, from: 'section:' + s.key, to: 'run:' + r.key}]->(r)
}
CALL () {
  UNWIND $rows AS row
  MATCH (s:Section {tenant: $tenant, key: row.section})
  CREATE (v:Verdict) SET v = row
  CREATE (v)-[:ON {tenant: $tenant, from: 'verdict:' + v.key, to: 'section:' + s.key}]->(s)
}
{{template "waiting.cypher" .}}
