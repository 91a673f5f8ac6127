MATCH (r:Run) USING INDEX SEEK r:Run(tenant, startedAt, key)
WHERE r.tenant = $tenant AND r.startedAt IS NOT NULL AND r.key IS NOT NULL
RETURN count(r) AS n
