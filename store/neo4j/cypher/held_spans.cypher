MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
WITH s, coalesce(toIntegerOrNull(s.ends), 0) AS ends
WHERE ends > $ends OR ends = $ends AND s.key <= $last
RETURN s.key AS key, s.data AS data ORDER BY ends DESC, key
