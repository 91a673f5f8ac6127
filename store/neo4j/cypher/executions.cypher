// Executions with their profile, whose window may hold them.
UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
MATCH (p:LearningProfile {tenant: $tenant, key: x.profile})
RETURN p, collect(x) AS executions
