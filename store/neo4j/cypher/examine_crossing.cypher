// Counts links between two tenants, by the one they lead from.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant <> b.tenant
RETURN a.tenant AS tenant, count(r) AS faults
