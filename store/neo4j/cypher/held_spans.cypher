// A span that is let go of while it is read has no properties any more.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
  AND (s.ends > $ends OR s.ends = $ends AND s.key <= $last)
WITH s.data AS data, s.ends AS ends, s.key AS key WHERE data IS NOT NULL AND ends IS NOT NULL AND key IS NOT NULL
RETURN data ORDER BY ends DESC, key
