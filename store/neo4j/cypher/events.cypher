MATCH (e:Episode {tenant: $tenant, key: $key})
WHERE e.eventTypes IS NOT NULL
RETURN e.eventTypes[$from..$to] AS types, e.eventData[$from..$to] AS data, e.eventTimes[$from..$to] AS times
