// Executions, those in a window from their profile.
UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
MATCH (p:LearningProfile {tenant: $tenant, key: x.profile})
WITH x, p, p.windowKeys AS windowKeys
WITH x, p, x.at IS NOT NULL AS archived,
     CASE WHEN x.at IS NULL THEN head([i IN range(0, size(windowKeys) - 1) WHERE windowKeys[i] = x.key]) END AS i
RETURN x.key AS key, p.agent AS agent, p.taskType AS taskType, archived,
       CASE WHEN archived THEN x.at ELSE datetime({epochMillis: p.windowAt[i]}) END AS at,
       CASE WHEN archived THEN x.success ELSE p.windowSuccess[i] END AS success,
       CASE WHEN archived THEN x.quality ELSE p.windowQuality[i] END AS quality,
       CASE WHEN archived THEN x.latencyMs WHEN p.windowLatencyMs[i] >= 0 THEN p.windowLatencyMs[i] END AS latencyMs
