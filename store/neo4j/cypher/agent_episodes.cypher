// The episodes of an agent, and when each was over.
MATCH (:Agent {tenant: $tenant, key: $key})-[:RAN]->(e:Episode)
RETURN e.key AS key, coalesce(e.endedAt, e.startedAt) AS at
