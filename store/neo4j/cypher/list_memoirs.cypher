MATCH (m:Memoir) USING INDEX SEEK m:Memoir(tenant, name)
WHERE m.tenant = $tenant AND m.name >= $after AND ($first OR m.name <> $after)
RETURN m
ORDER BY m.tenant, m.name LIMIT $limit
