// The types come from the indexes, without a look at the records.
CALL () {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, taskType, startedAt, key)
  WHERE e.tenant = $tenant AND e.taskType >= '' AND e.startedAt IS NOT NULL AND e.key IS NOT NULL
  RETURN DISTINCT e.taskType AS taskType
  UNION
  MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile(tenant, taskType, agent)
  WHERE p.tenant = $tenant AND p.taskType >= '' AND p.agent IS NOT NULL
  RETURN DISTINCT p.taskType AS taskType
}
RETURN DISTINCT taskType
