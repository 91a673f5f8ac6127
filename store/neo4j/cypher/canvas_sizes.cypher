// How many actions canvases have, and their sessions.
UNWIND $keys AS key
MATCH (c:Canvas {tenant: $tenant, key: key})
RETURN c.key AS key, size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) AS actions, c.episode AS episode, c.session AS session
