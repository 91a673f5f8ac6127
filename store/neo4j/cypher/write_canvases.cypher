UNWIND $rows AS row
MERGE (c:Canvas {tenant: $tenant, key: row.key})
SET c += row.properties
FOREACH (key IN CASE WHEN row.joins IS NULL THEN [] ELSE [row.joins] END |
  MERGE (s:Session {tenant: $tenant, key: key})
  CREATE (c)-[:IN_SESSION {tenant: $tenant, from: 'canvas:' + c.key, to: 'session:' + key}]->(s))
