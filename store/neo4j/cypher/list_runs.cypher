MATCH (r:Run) USING INDEX SEEK r:Run(tenant, startedAt, key)
WHERE r.tenant = $tenant AND r.startedAt >= $since AND r.startedAt <= $until AND r.key IS NOT NULL
{{- if .After}}
  AND CASE r.startedAt WHEN $until THEN r.key > $afterKey ELSE true END{{end}}
RETURN r
ORDER BY r.tenant DESC, r.startedAt DESC, r.key LIMIT $limit
