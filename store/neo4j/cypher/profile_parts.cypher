// Locks a profile, and reads it with its executions.
MATCH (p:LearningProfile {tenant: $tenant, key: $key})
SET p.tenant = p.tenant
RETURN p, COLLECT { MATCH (x:Execution {tenant: $tenant, profile: $key}) RETURN x } AS executions
