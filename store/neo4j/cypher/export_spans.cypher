// A page of the spans that are held, by trace and key.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace >= $afterTrace AND s.key IS NOT NULL
  AND CASE s.trace WHEN $afterTrace THEN s.key > $afterKey ELSE true END
RETURN s.data AS data, s.arrivedAt AS arrivedAt ORDER BY s.tenant, s.trace, s.key LIMIT $limit
