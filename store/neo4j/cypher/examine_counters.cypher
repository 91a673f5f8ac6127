// Counts episodes whose aggregates are not those of their canvases and feedback.
MATCH (e:Episode)
WHERE {{template "miscounted.cypher"}}
RETURN e.tenant AS tenant, count(*) AS faults
