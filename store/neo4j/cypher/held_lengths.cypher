// How long the held spans of a trace are; those of before had no length of their own.
MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
RETURN s.key AS key, s.ends AS ends, coalesce(s.bytes, size(s.data)) AS bytes ORDER BY ends DESC, key LIMIT $limit
