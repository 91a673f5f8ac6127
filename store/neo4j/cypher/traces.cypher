// Spans of traces that are not finished, and traces that failed.

// name: hold_spans
// Keeps spans; one that is held already stays as it is. All writers lock in one order.
UNWIND $rows AS row
WITH row ORDER BY row.trace, row.key
MERGE (s:HeldSpan {tenant: $tenant, trace: row.trace, key: row.key})
ON CREATE SET s.ends = row.ends, s.user = row.user, s.arrivedAt = row.at, s.data = row.data, s.bytes = row.bytes

// name: trace_room
// How much is kept of traces, held or in the log of an episode, and which of some spans are held, and whose these are.
UNWIND $rows AS row
OPTIONAL MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = row.trace AND s.key IS NOT NULL
WITH row, count(s) AS spans, collect(DISTINCT coalesce(s.user, '')) AS users, coalesce(sum(coalesce(CASE WHEN s.bytes < 9007199254740992 THEN s.bytes END, size(toStringOrNull(s.data)), 0)), 0) AS bytes
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.trace})
WITH row, spans, users, bytes, e, COLLECT { UNWIND row.keys AS key MATCH (h:HeldSpan {tenant: $tenant, trace: row.trace, key: key}) RETURN h } AS held
RETURN row.trace AS trace, [user IN users WHERE spans > 0] AS users, spans + size(CASE WHEN e.eventData IS :: LIST<ANY> NOT NULL THEN e.eventData ELSE [] END) AS spans,
       bytes + reduce(n = 0, data IN CASE WHEN e.eventData IS :: LIST<ANY> NOT NULL THEN e.eventData ELSE [] END | n + coalesce(size(toStringOrNull(data)), 0)) AS bytes,
       [h IN held | [h.key, coalesce(h.user, '')]] AS whose

// name: count_spans
// How many spans of a trace are held.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
RETURN count(s) AS n

// name: held_lengths
// How long the held spans of a trace are. One that is let go of while it is read has no properties any more.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH s.key AS key, coalesce(toIntegerOrNull(s.ends), 0) AS ends, coalesce(toIntegerOrNull(s.bytes), size(toStringOrNull(s.data)), 0) AS bytes
WHERE key IS NOT NULL
RETURN key, ends, bytes ORDER BY ends DESC, key LIMIT $limit

// name: held_spans
// A span that is let go of while it is read has no properties any more.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH s.data AS data, coalesce(toIntegerOrNull(s.ends), 0) AS ends, s.key AS key
WHERE key IS NOT NULL AND (ends > $ends OR ends = $ends AND key <= $last)
RETURN key, data ORDER BY ends DESC, key

// name: due_traces
// The traces of which nothing has arrived for a while, told from the index alone.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, arrivedAt, ends)
WHERE s.tenant = $tenant AND s.trace IS NOT NULL AND s.arrivedAt IS NOT NULL AND s.ends IS NOT NULL
WITH s.trace AS trace, max(s.arrivedAt) AS latest, max(s.ends) AS ends
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: trace})
OPTIONAL MATCH (f:FailingTrace {tenant: $tenant, key: trace})
WITH trace, latest, ends = 1 OR e IS NOT NULL AS ended, f
WHERE (latest > $setBack OR latest <= CASE WHEN ended THEN $ended ELSE $silent END) AND (f IS NULL OR f.retryAt <= $retry)
RETURN trace, coalesce(f.failures, 0) AS failures ORDER BY latest, trace LIMIT $limit

// name: put_off_trace
// Notes that a trace of which something is held failed.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
WITH count(s) AS held WHERE held > 0
MERGE (f:FailingTrace {tenant: $tenant, key: $trace})
SET f.failures = $failures, f.retryAt = $retry, f.reason = $reason

// name: retry_traces
// Lets traces that failed be tried again at once.
MATCH (f:FailingTrace {tenant: $tenant}) WHERE f.key IS NOT NULL // for the index
DELETE f

// name: release_spans
// Lets go of spans; with the last of a trace goes what is known of its failures.
CALL () {
  UNWIND $keys AS key
  MATCH (s:HeldSpan {tenant: $tenant, trace: $trace, key: key})
  DELETE s
}
MATCH (f:FailingTrace {tenant: $tenant, key: $trace}) USING INDEX SEEK f:FailingTrace(tenant, key)
WHERE NOT EXISTS {
  MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
  WHERE s.tenant = $tenant AND s.trace = $trace AND s.key IS NOT NULL
}
DELETE f

// name: drop_trace
// Deletes all that is held of traces, with what is known of their failures.
UNWIND $keys AS key
OPTIONAL MATCH (f:FailingTrace {tenant: $tenant, key: key})
DELETE f
WITH key
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace = key AND s.key IS NOT NULL
DELETE s
RETURN count(*) AS spans
