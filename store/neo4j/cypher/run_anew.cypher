MATCH (r:Run {tenant: $tenant, key: $key})
SET r.startedAt = coalesce(COLLECT { MATCH (r)<-[:IN_RUN]-(:Section)<-[:ON]-(v:Verdict) WHERE v.at IS :: ZONED DATETIME NOT NULL RETURN min(v.at) }[0], $none),
    r.completedAt = CASE WHEN r.completedAt IS NOT NULL
      THEN coalesce(COLLECT { MATCH (r)<-[:IN_RUN]-(:Section)<-[:ON]-(v:Verdict) WHERE v.at IS :: ZONED DATETIME NOT NULL RETURN max(v.at) }[0], $none) END
