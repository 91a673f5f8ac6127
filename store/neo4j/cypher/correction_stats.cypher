MATCH (c:Correction) USING INDEX SEEK c:Correction(tenant, createdAt, key)
WHERE c.tenant = $tenant AND c.createdAt >= $since AND c.key IS NOT NULL
RETURN c.topic AS topic, c.importance AS importance, count(c) AS n
