// Counts each tenant's records, and says whether the tenant has its node.
MATCH (n:{{.}})
WITH n.tenant AS tenant, count(*) AS records, sum(CASE WHEN n.key IS NULL THEN 1 ELSE 0 END) AS keyless
OPTIONAL MATCH (t:Tenant {key: tenant})
RETURN tenant, records, keyless, t IS NOT NULL AS known
ORDER BY tenant
