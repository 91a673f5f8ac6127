MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
WHERE s.ends > $ends OR s.ends = $ends AND s.key <= $last
RETURN s.data AS data ORDER BY s.ends DESC, s.key
