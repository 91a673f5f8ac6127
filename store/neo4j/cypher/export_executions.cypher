// A page of the executions that are no episodes, by key.
MATCH (x:Execution)
WHERE x.tenant = $tenant AND x.key > $after AND NOT x.key STARTS WITH 'episode:'
RETURN x.key AS key, x.inputHash AS inputHash ORDER BY x.tenant, x.key LIMIT $limit
