// Ties feedback to the canvas it names.
UNWIND $rows AS row
MATCH (f:Feedback {tenant: $tenant, key: row.key})
MATCH (c:Canvas {tenant: $tenant, key: row.canvas})
OPTIONAL MATCH (f)-[wait:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: 'canvas', key: row.canvas})
DELETE wait
SET f.canvas = c.key
CREATE (f)-[:ON {tenant: $tenant, from: 'feedback:' + f.key, to: 'canvas:' + c.key}]->(c)
