// Gives feedback its episode, or takes it away where the episode is null. What it waits for stays where
// that is its canvas, which has a statement of its own.
UNWIND $rows AS row
MATCH (f:Feedback {tenant: $tenant, key: row.key})
OPTIONAL MATCH (:Episode)-[received:RECEIVED]->(f)
OPTIONAL MATCH (f)-[wait:WAITS_FOR]->(w:Waiting) WHERE w.kind <> 'canvas'
DELETE received, wait
WITH row, f
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.episode})
SET f.episode = e.key
FOREACH (known IN CASE WHEN e IS NULL THEN [] ELSE [e] END |
  CREATE (known)-[:RECEIVED {tenant: $tenant, from: 'episode:' + known.key, to: 'feedback:' + f.key}]->(f))
