{{- /* The links of one type from any of some records to any of others, looked up one by one. */ -}}
UNWIND $sources AS source
UNWIND $targets AS target
MATCH ()-[r:{{.}}]->() USING INDEX SEEK r:{{.}}(tenant, from, to)
WHERE r.tenant = $tenant AND r.from = source AND r.to = target
RETURN DISTINCT source, target, '{{.}}' AS type ORDER BY source, target LIMIT $limit
