UNWIND $owner AS owner
CALL (owner) {
  MATCH (f:Feedback) USING INDEX SEEK f:Feedback(tenant, {{.Owner}}, createdAt, key)
  WHERE f.tenant = $tenant AND f.{{.Owner}} = owner AND f.createdAt >= $since AND f.createdAt <= $until AND f.key IS NOT NULL
{{- if .After}}
    AND CASE f.createdAt WHEN $until THEN f.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
  RETURN count(f) AS part
}
RETURN sum(part) AS n
{{- else}}
  RETURN f ORDER BY f.tenant DESC, f.{{.Owner}} DESC, f.createdAt DESC, f.key LIMIT $limit
}
RETURN f
ORDER BY f.createdAt DESC, f.key LIMIT $limit
{{- end}}
