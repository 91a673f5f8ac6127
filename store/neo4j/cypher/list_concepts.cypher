MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, memoir, name)
WHERE c.tenant = $tenant AND c.memoir = $memoir AND c.name >= $after AND ($first OR c.name <> $after)
RETURN c
ORDER BY c.tenant, c.memoir, c.name LIMIT $limit
