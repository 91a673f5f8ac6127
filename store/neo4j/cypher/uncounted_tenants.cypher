// The tenants with episodes that are executions and that no profile counts yet.
MATCH (e:Episode) WHERE {{template "uncounted.cypher" .}}
RETURN DISTINCT e.tenant AS tenant
