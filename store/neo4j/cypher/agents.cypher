// Agents, the executions that they learn by, and the profiles that sum these up.

// name: save_agent
// Names an agent and tells what has been waiting for it.
CALL () {
  MERGE (a:Agent {tenant: $tenant, key: $key})
  SET a.name = $name
}
{{template "waiting" .}}

// name: agents
UNWIND $keys AS key
MATCH (a:Agent {tenant: $tenant, key: key})
RETURN a AS n

// name: list_agents
MATCH (a:Agent)
WHERE a.tenant = $tenant AND a.key > $after
{{- if .Count}}
RETURN count(a) AS n
{{- else}}
RETURN a AS n
ORDER BY a.tenant, a.key LIMIT $limit
{{- end}}

// name: task_types
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

// name: all_task_types
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
RETURN DISTINCT taskType AS name

// name: agent_records
// What is counted of agents by type of task; as of an instant, which agents there were.
{{if .Agents}}UNWIND $agents AS agent
{{end -}}
MATCH (a:Agent)
WHERE a.tenant = $tenant AND a.key {{if .Agents}}= agent{{else}}> ''{{end}}
{{- if .AsOf}}
  AND EXISTS {
    MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, agent, startedAt, key)
    WHERE e.tenant = $tenant AND e.agent = a.key AND e.startedAt <= $asOf AND e.key IS NOT NULL AND e.knownAt <= $asOf
  }
RETURN a.key AS agent, [] AS tasks
{{- else}}
RETURN a.key AS agent, COLLECT {
  MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile(tenant, agent, taskType)
  WHERE p.tenant = $tenant AND p.agent = a.key AND p.taskType >= ''
  RETURN p {.taskType, .total, .successful, .qualityBillionths, .latencyMicros, .timed, .countersSeal}
} AS tasks
{{- end}}

// name: count_outcomes
// How many episodes began within each bucket, by outcome, with all feedback on them.
{{template "in_order" .}}
WITH e.startedAt.epochMillis AS at, e.outcome AS outcome, e.aggregates AS aggregates, e.cost AS cost
RETURN at - at % $bucket AS at, outcome, count(*) AS episodes, toFloat(sum(cost)) AS cost, sum(aggregates.y) AS feedbackSum, toInteger(sum(aggregates.z)) AS feedbackCount

// name: list_outcomes
// A page of episodes with what a trend is made of.
{{template "in_order" .}}
WITH e ORDER BY {{.Sort}} LIMIT $limit
RETURN e.key AS key, e.startedAt AS startedAt, e.outcome AS outcome, e.aggregates AS aggregates,
  CASE WHEN e.feedbackCount = 0 THEN [] ELSE COLLECT {
    MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE {{template "corrects"}} AND f.replacedAt IS NULL
    RETURN DISTINCT f.source
  } END AS interventions
ORDER BY {{.Sort}}

// name: lock_profiles
// Locks profiles, there or not, as the statement lock does, and tells what is there of them and of executions.
CALL () {
  UNWIND $profiles AS key
  {{template "hold" "LearningProfile"}}
  {{template "let_go" .}}
  WITH n, known, gone
  RETURN collect(CASE WHEN known AND NOT gone THEN n END) AS profiles, count(CASE WHEN gone THEN 1 END) AS gone
}
CALL () {
  MATCH (x:Execution) WHERE x.tenant = $tenant AND x.key IN $executions
  RETURN collect(x) AS executions
}
RETURN profiles, executions, gone

// name: learn
// Writes profiles and new executions, and tells what has been waiting for those that are new.
{{template "notice"}}
CALL () {
  UNWIND $made AS row
  MERGE (a:Agent {tenant: $tenant, key: row.agent}) ON CREATE SET a.name = a.key
  MERGE (p:LearningProfile {tenant: $tenant, key: row.key})
  SET p = row
  MERGE (p)-[o:OF]->(a)
  SET o.tenant = $tenant, o.from = 'learningProfile:' + p.key, o.to = 'agent:' + a.key
}
CALL () {
  UNWIND $changed AS row
  MATCH (p:LearningProfile {tenant: $tenant, key: row.key})
  SET p = row
}
CALL () {
  UNWIND $emptied AS key
  MATCH (p:LearningProfile {tenant: $tenant, key: key})
  DETACH DELETE p
}
CALL () {
  UNWIND $executions AS row
  MATCH (p:LearningProfile {tenant: $tenant, key: row.properties.profile})
  CREATE (x:Execution) SET x = row.properties, x.tenant = $tenant, x.notice = row.notice
  CREATE (x)-[:OF {tenant: $tenant, from: 'execution:' + x.key, to: 'learningProfile:' + p.key}]->(p)
  WITH x, row WHERE row.episode IS NOT NULL
  MATCH (e:Episode {tenant: $tenant, key: row.episode})
  CREATE (x)-[:FROM {tenant: $tenant, from: 'execution:' + x.key, to: 'episode:' + e.key}]->(e)
}
{{template "waiting" .}}

// part: latest
// The executions x of a profile that were known at an instant, the latest first.
MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
WHERE x.tenant = $tenant AND x.profile = profile AND x.at <= $until AND x.key IS NOT NULL
WITH x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC

// part: window
// The window of these.
{{template "latest"}} LIMIT $windowSize
RETURN collect(x.at.epochMillis) AS at, collect(coalesce(toFloatOrNull(x.quality), -1.0)) AS quality

// part: oldest
// The last in a window of these that is full.
{{template "latest"}} SKIP $windowSize - 1 LIMIT 1
RETURN collect(x {.at, .key}) AS oldest

// name: delete_executions
// Deletes executions, and then reads the windows of profiles.
CALL () {
  UNWIND $keys AS key
  MATCH (x:Execution {tenant: $tenant, key: key})
  DETACH DELETE x
}
UNWIND $profiles AS profile
CALL (profile) {
  {{template "window"}}
}
RETURN profile, at, quality

// name: profiles
// Profiles as they are, or as of an instant with what is needed to take back what came later.
{{if .Agents}}UNWIND $agents AS agent
{{end}}
{{- if .TaskTypes}}UNWIND $taskTypes AS taskType
{{end -}}
MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile({{.Index}})
WHERE p.tenant = $tenant
  AND p.agent {{if .Agents}}= agent{{else if .TaskTypes}}IS NOT NULL{{else}}>= ''{{end}}
  AND p.taskType {{if .TaskTypes}}= taskType{{else}}IS NOT NULL{{end}}
WITH p, p {.key, .agent, .taskType, .total, .successful, .qualityBillionths, .latencyMicros, .timed, .windowAt, .windowQuality, .countersSeal, .seal} AS profile
{{- if .AsOf}}
CALL (p) {
  WITH p WHERE p.lastUpdated > $until
  MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = p.key AND x.at > $until AND x.key IS NOT NULL
  RETURN {total: count(x), successful: count(CASE WHEN x.success = true THEN 1 END), qualityBillionths: sum(toIntegerOrNull(x.qualityBillionths)),
          latencyMicros: sum(toIntegerOrNull(x.latencyMicros)), timed: count(x.latencyMicros)} AS later
}
CALL (p) {
  WITH p, p.key AS profile WHERE p.lastUpdated > $until
  {{template "window"}}
}
MATCH (now:LearningProfile {tenant: $tenant, key: p.key})
{{- end}}
RETURN profile{{if .AsOf}}, later, at, quality, now.seal AS seal{{end}}

// name: profiles_of
// The profiles of executions.
UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
RETURN DISTINCT x.profile AS profile

// name: executions
// Executions, and the oldest in the window of each.
UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
WITH x.profile AS profile, collect(x) AS executions
CALL (profile) {
  {{template "oldest"}}
}
RETURN executions, oldest

// name: list_executions
// Executions of a profile, the latest first, that are older than a position, and the oldest in its window.
CALL () {
  WITH $profile AS profile
  {{template "oldest"}}
}
CALL () {
  MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = $profile AND x.at <= $from AND x.key IS NOT NULL
    AND CASE x.at WHEN $afterAt THEN x.key < $afterKey ELSE true END
  RETURN x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC SKIP $skip LIMIT $limit
}
RETURN x, oldest

// name: executions_of
// All executions of a profile, and those of episodes that they are not linked with.
MATCH (:LearningProfile {tenant: $tenant, key: $profile})<-[:OF]-(x:Execution)
RETURN collect(x) AS executions,
  [key IN collect(CASE WHEN x.key STARTS WITH 'episode:' AND NOT EXISTS { (x)-[:FROM]->(:Episode) } THEN x.key END) WHERE key IS NOT NULL] AS orphans

// name: every_profile
// A page of the profiles, by key.
MATCH (p:LearningProfile)
WHERE p.tenant = $tenant AND p.key > $after
RETURN p AS n, p.key AS after ORDER BY p.tenant, p.key LIMIT $limit
