// The tenants with records that no search finds yet.
MATCH (n:Episode|Feedback) WHERE n.kindToken IS NULL
RETURN DISTINCT n.tenant AS tenant
