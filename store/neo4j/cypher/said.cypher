// The next records of a kind, by key.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $page.after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN {{template "what_is_said.cypher"}}
