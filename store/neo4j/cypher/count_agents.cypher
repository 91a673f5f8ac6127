MATCH (a:Agent)
WHERE a.tenant = $tenant AND a.key > ''
RETURN count(a) AS n
