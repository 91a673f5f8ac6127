// How long the held spans of a trace are; those of before had no length of their own. One that is let go of while
// it is read has no properties any more.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH s.key AS key, s.ends AS ends, coalesce(s.bytes, size(s.data)) AS bytes
WHERE key IS NOT NULL AND ends IS NOT NULL AND bytes IS NOT NULL
RETURN key, ends, bytes ORDER BY ends DESC, key LIMIT $limit
