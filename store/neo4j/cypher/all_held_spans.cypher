// A page of all spans that are held, by trace and key, and whether their trace is an episode already.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace >= $afterTrace AND s.key IS NOT NULL
  AND CASE s.trace WHEN $afterTrace THEN s.key > $afterKey ELSE true END
WITH s ORDER BY s.tenant, s.trace, s.key LIMIT $limit
RETURN s.trace AS trace, s.key AS key, s.data AS data, EXISTS { MATCH (:Episode {tenant: $tenant, key: s.trace}) } AS recorded
