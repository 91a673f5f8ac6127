{{- /* A page of the relations of a type between concepts, as an index has them in order. */ -}}
MATCH ()-[r:{{.}}]->() USING INDEX SEEK r:{{.}}(tenant, from, to)
WHERE r.tenant = $tenant AND r.from >= $afterSource AND r.from < 'concept;' AND r.to > ''
  AND CASE r.from WHEN $afterSource THEN r.to > $afterTarget ELSE true END
WITH r ORDER BY r.tenant, r.from, r.to LIMIT $limit
RETURN r.from AS source, r.to AS target, r.createdAt AS at
