// Deletes profiles with their executions, and tells those that were no episodes.
UNWIND $keys AS key
MATCH (p:LearningProfile {tenant: $tenant, key: key})
WITH p, COLLECT { MATCH (x:Execution)-[:OF]->(p) RETURN x } AS executions
WITH p, executions, [x IN executions WHERE NOT x.key STARTS WITH 'episode:' | x.key] AS own
FOREACH (x IN executions | DETACH DELETE x)
DETACH DELETE p
RETURN own
