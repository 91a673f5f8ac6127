{{- /* Some of what an episode owns. */ -}}
MATCH (:Episode {tenant: $tenant, key: $key})-[:{{.}}]->(n)
RETURN n.key AS key LIMIT $limit
