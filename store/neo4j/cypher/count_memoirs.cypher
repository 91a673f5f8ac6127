MATCH (m:Memoir)
WHERE m.tenant = $tenant AND m.name >= ''
RETURN count(m) AS n
