// Counts profiles that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile)
WHERE {{template "miscounted_profile.cypher"}}
RETURN p.tenant AS tenant, count(*) AS faults
