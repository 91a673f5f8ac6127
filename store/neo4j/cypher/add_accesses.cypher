// The first SET takes the lock, so that the counts of all writers add up.
UNWIND $rows AS row
MATCH (n:Observation {tenant: $tenant, key: row.key})
SET n.tenant = n.tenant
SET n.accessCount = {{template "countable.cypher" "n.accessCount"}} + row.count,
    n.lastAccessedAt = CASE WHEN n.lastAccessedAt > row.at THEN n.lastAccessedAt ELSE row.at END
SET n.usedAt = n.lastAccessedAt
