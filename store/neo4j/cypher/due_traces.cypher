// The traces of which nothing has arrived for a while, told from the index alone.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, arrivedAt, ends)
WHERE s.tenant = $tenant AND s.trace IS NOT NULL AND s.arrivedAt IS NOT NULL AND s.ends IS NOT NULL
WITH s.trace AS trace, max(s.arrivedAt) AS latest, max(s.ends) AS ends
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: trace})
OPTIONAL MATCH (f:FailingTrace {tenant: $tenant, key: trace})
WITH trace, latest, ends = 1 OR e IS NOT NULL AS ended, f
WHERE latest <= CASE WHEN ended THEN $ended ELSE $silent END AND (f IS NULL OR f.retryAt <= $retry)
RETURN trace, coalesce(f.failures, 0) AS failures ORDER BY latest, trace LIMIT $limit
