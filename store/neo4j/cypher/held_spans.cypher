// A span that is let go of while it is read has no properties any more.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH s.data AS data, coalesce(toIntegerOrNull(s.ends), 0) AS ends, s.key AS key
WHERE key IS NOT NULL AND (ends > $ends OR ends = $ends AND key <= $last)
RETURN key, data ORDER BY ends DESC, key
