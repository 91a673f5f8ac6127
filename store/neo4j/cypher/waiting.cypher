// What waits for the given records, or in the given sessions.
UNWIND $awaited AS awaited
MATCH (:Waiting {tenant: $tenant, kind: awaited.kind, key: awaited.key})<-[:WAITS_FOR]-(n)
RETURN awaited.kind AS kind, awaited.key AS awaited, head(labels(n)) AS label, n.key AS key, n.createdAt AS at
