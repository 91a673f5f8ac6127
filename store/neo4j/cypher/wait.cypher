// Lets records wait for others that are not there.
CALL () {
  UNWIND $canvases AS row
  MATCH (n:Canvas {tenant: $tenant, key: row.key})
  MERGE (w:Waiting {tenant: $tenant, kind: row.kind, key: row.awaited})
  SET w.tenant = w.tenant
  CREATE (n)-[:WAITS_FOR]->(w)
}
CALL () {
  UNWIND $feedback AS row
  MATCH (n:Feedback {tenant: $tenant, key: row.key})
  MERGE (w:Waiting {tenant: $tenant, kind: row.kind, key: row.awaited})
  SET w.tenant = w.tenant
  CREATE (n)-[:WAITS_FOR]->(w)
}
CALL () {
  UNWIND $episodes AS row
  MATCH (n:Episode {tenant: $tenant, key: row.key})
  MERGE (w:Waiting {tenant: $tenant, kind: row.kind, key: row.awaited})
  SET w.tenant = w.tenant
  CREATE (n)-[:WAITS_FOR]->(w)
}
