// Lets the feedback on canvases wait for those again.
UNWIND $keys AS key
MATCH (:Canvas {tenant: $tenant, key: key})<-[on:ON]-(f:Feedback)
DELETE on
SET f.canvas = null
MERGE (w:Waiting {tenant: $tenant, kind: 'canvas', key: key})
CREATE (f)-[:WAITS_FOR]->(w)
