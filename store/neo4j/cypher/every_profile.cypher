// A page of the profiles, by key.
MATCH (p:LearningProfile)
WHERE p.tenant = $tenant AND p.key > $after
RETURN p ORDER BY p.tenant, p.key LIMIT $limit
