// Gives canvases their episodes, or takes them away where the episode is null.
UNWIND $rows AS row
MATCH (c:Canvas {tenant: $tenant, key: row.key})
OPTIONAL MATCH (:Episode)-[shown:PRESENTED]->(c)
OPTIONAL MATCH (c)-[wait:WAITS_FOR]->(:Waiting)
DELETE shown, wait
WITH row, c
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.episode})
SET c.episode = e.key, c.agent = e.agent
FOREACH (known IN CASE WHEN e IS NULL THEN [] ELSE [e] END |
  CREATE (known)-[:PRESENTED {tenant: $tenant, from: 'episode:' + known.key, to: 'canvas:' + c.key}]->(c))
