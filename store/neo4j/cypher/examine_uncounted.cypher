// Counts episodes that are executions and that no profile counts.
MATCH (e:Episode) WHERE {{template "uncounted.cypher" .}}
RETURN e.tenant AS tenant, count(*) AS faults
