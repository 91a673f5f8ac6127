MATCH (t:Tenant)
WHERE t.key IS :: STRING NOT NULL
RETURN t.key AS tenant ORDER BY tenant
