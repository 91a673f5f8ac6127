MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
RETURN s.data AS data ORDER BY s.key
