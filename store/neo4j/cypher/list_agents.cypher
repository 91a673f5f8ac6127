MATCH (a:Agent)
WHERE a.tenant = $tenant AND a.key > $after
RETURN a.key AS key, a.name AS name
ORDER BY a.tenant, a.key LIMIT $limit
