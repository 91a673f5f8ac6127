// How long the held spans of a trace are; those of before had no length of their own.
MATCH (s:HeldSpan {tenant: $tenant, trace: $trace})
RETURN s.key AS key, coalesce(toIntegerOrNull(s.ends), 0) AS ends, coalesce(toIntegerOrNull(s.bytes), size(toStringOrNull(s.data)), 0) AS bytes ORDER BY ends DESC, key LIMIT $limit
