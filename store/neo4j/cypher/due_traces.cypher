// The traces of which nothing has arrived for a while, told from the index alone.
MATCH (s:HeldSpan)
WHERE s.tenant = $tenant AND s.trace IS NOT NULL AND s.arrivedAt IS NOT NULL AND s.ends IS NOT NULL
WITH s.trace AS trace, max(s.arrivedAt) AS latest, max(s.ends) AS ends
WHERE latest <= CASE WHEN ends = 1 THEN $ended ELSE $silent END
RETURN trace ORDER BY latest, trace LIMIT $limit
