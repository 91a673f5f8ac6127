MATCH (t:Tenant)
WHERE t.key IS NOT NULL
RETURN t.key AS tenant ORDER BY tenant
