// The tenants that have records of a kind.
MATCH (n:{{.}}) WHERE n.tenant IS NOT NULL
RETURN DISTINCT n.tenant AS tenant ORDER BY tenant
