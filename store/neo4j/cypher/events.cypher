MATCH (e:Episode {tenant: $tenant, key: $key})
WHERE e.eventTypes IS NOT NULL
RETURN CASE WHEN e.eventTypes IS :: LIST<ANY> NOT NULL THEN e.eventTypes[$from..$to] ELSE e.eventTypes END AS types, CASE WHEN e.eventData IS :: LIST<ANY> NOT NULL THEN e.eventData[$from..$to] ELSE e.eventData END AS data, CASE WHEN e.eventTimes IS :: LIST<ANY> NOT NULL THEN e.eventTimes[$from..$to] ELSE e.eventTimes END AS times
