// The observations whose keys begin so.
MATCH (o:Observation)
WHERE o.tenant = $tenant AND o.key STARTS WITH $key
RETURN o.key AS key
