// Ties what was noticed or put right to what it is about.
UNWIND $rows AS row
MATCH (n:{{.Label}} {tenant: $tenant, key: row.key})
MATCH (target:{{.TargetLabel}} {tenant: $tenant, key: row.target})
OPTIONAL MATCH (n)-[wait:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: $kind, key: row.target})
DELETE wait
CREATE (n)-[:ABOUT {tenant: $tenant, from: '{{.Kind}}:' + n.key, to: '{{.Target}}:' + target.key}]->(target)
