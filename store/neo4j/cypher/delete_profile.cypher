// Deletes a profile with its executions.
MATCH (p:LearningProfile {tenant: $tenant, key: $key})
OPTIONAL MATCH (x:Execution {tenant: $tenant, profile: $key})
DETACH DELETE x, p
