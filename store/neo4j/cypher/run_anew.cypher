// Writes anew what cannot be read of a run, of its verdicts.
MATCH (r:Run {tenant: $tenant, key: $key})
WITH r, COLLECT { MATCH (r)<-[:IN_RUN]-(:Section)<-[:ON]-(v:Verdict) WHERE v.at >= $first AND v.at <= $last RETURN v.at ORDER BY v.at } AS times
SET r.startedAt = CASE WHEN r.startedAt >= $first AND r.startedAt <= $last THEN r.startedAt ELSE coalesce(times[0], $none) END,
    r.completedAt = CASE WHEN r.completedAt IS NULL OR r.completedAt >= $first AND r.completedAt <= $last THEN r.completedAt ELSE coalesce(times[-1], $none) END
