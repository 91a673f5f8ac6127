// The types come from the indexes, without a look at the records.
UNWIND $agents AS agent
CALL (agent) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, agent, taskType)
  WHERE e.tenant = $tenant AND e.agent = agent AND e.taskType >= ''
  RETURN DISTINCT e.taskType AS taskType
  UNION
  MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile(tenant, agent, taskType)
  WHERE p.tenant = $tenant AND p.agent = agent AND p.taskType >= ''
  RETURN p.taskType AS taskType
}
RETURN agent, collect(taskType) AS taskTypes
