// Keeps spans; one that is held already stays as it is.
UNWIND $rows AS row
MERGE (s:HeldSpan {tenant: $tenant, trace: row.trace, key: row.key})
ON CREATE SET s.ends = row.ends, s.arrivedAt = row.at, s.data = row.data, s.bytes = row.bytes
