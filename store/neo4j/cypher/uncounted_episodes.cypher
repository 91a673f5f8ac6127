// The next of those episodes of a tenant, by key.
MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, key)
WHERE e.tenant = $tenant AND e.key > $page.after AND {{template "uncounted.cypher" .}}
RETURN e.key AS key ORDER BY e.tenant, e.key LIMIT $limit
