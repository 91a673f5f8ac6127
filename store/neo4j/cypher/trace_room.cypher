// How much is kept of traces, held or in the log of an episode, and which of some spans are held.
UNWIND $rows AS row
OPTIONAL MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = row.trace AND s.key IS NOT NULL
WITH row, count(s) AS spans, coalesce(sum(coalesce(s.bytes, size(s.data))), 0) AS bytes
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.trace})
RETURN row.trace AS trace, spans + coalesce(size(e.eventData), 0) AS spans,
       bytes + reduce(n = 0, data IN coalesce(e.eventData, []) | n + size(data)) AS bytes,
       COLLECT { UNWIND row.keys AS key MATCH (h:HeldSpan {tenant: $tenant, trace: row.trace, key: key}) RETURN h.key } AS known
