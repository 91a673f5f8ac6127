// Writes runs with the times that they had, and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  MERGE (r:Run {tenant: $tenant, key: row.key})
  SET r.startedAt = row.startedAt, r.completedAt = row.completedAt
}
{{template "waiting.cypher" .}}
