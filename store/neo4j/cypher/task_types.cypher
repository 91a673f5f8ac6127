// The types come from the index, without a look at the episodes.
UNWIND $agents AS agent
MATCH (e:Episode) USING INDEX e:Episode(tenant, agent, taskType)
WHERE e.tenant = $tenant AND e.agent = agent AND e.taskType >= ''
WITH DISTINCT agent, e.taskType AS taskType
ORDER BY agent, taskType
RETURN agent, collect(taskType) AS taskTypes
