MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, memoir, name)
WHERE c.tenant = $tenant AND c.memoir = $memoir AND c.name >= ''
RETURN count(c) AS n
