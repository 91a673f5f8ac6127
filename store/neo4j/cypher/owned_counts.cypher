// Which of an agent's episodes are there, of any agent where it is null, and how much each owns.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
WHERE $agent IS NULL OR EXISTS { (:Agent {tenant: $tenant, key: $agent})-[:RAN]->(e) }
RETURN key, COUNT { (e)-[:PRESENTED]->() } + COUNT { (e)-[:RECEIVED]->() } AS owned
