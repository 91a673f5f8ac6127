// The profiles of a tenant that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile {tenant: $tenant})
WHERE {{template "miscounted_profile.cypher"}}
RETURN p.key AS key ORDER BY key
