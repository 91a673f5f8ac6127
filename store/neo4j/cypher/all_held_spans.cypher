// All spans that are held, by trace, and whether that is an episode already.
MATCH (s:HeldSpan)
WHERE s.tenant = $tenant AND s.trace IS NOT NULL
WITH s ORDER BY s.trace
RETURN s.data AS data, EXISTS { MATCH (:Episode {tenant: $tenant, key: s.trace}) } AS recorded
