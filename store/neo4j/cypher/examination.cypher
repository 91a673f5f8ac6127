// What the doctor looks for, and how it is mended.

// name: examine_server
CALL dbms.components() YIELD name, versions, edition
RETURN name + ' ' + head(versions) + ' ' + edition AS server

// name: examine_constraints
SHOW CONSTRAINTS YIELD name

// name: examine_indexes
SHOW INDEXES YIELD name, state, populationPercent

// name: examine_vectors
// The lengths of the tenants' vectors.
MATCH (t:Tenant) WHERE t.vectorLength IS :: INTEGER NOT NULL AND t.vectorLength > 0 AND t.vectorLength <= $most
RETURN DISTINCT t.vectorLength AS length ORDER BY length

// name: examine_settings
// What tenants keep once, as it is.
MATCH (t:Tenant) WHERE t.key IS :: STRING NOT NULL
RETURN t.key AS tenant, t.inputKey AS inputKey, t.vectorLength AS vectorLength ORDER BY tenant

// name: examine_lengths
// How many vectors of each length the tenants have, by the properties that hold them.
MATCH (e:Episode) WHERE e.tenant IS NOT NULL
UNWIND keys(e) AS name
WITH e.tenant AS tenant, name, count(*) AS vectors WHERE name =~ 'embedding[1-9][0-9]{0,3}'
RETURN tenant, toInteger(substring(name, 9)) AS length, vectors

// name: examine_meanings
// Of how many of a tenant's records there is what they mean, and of how many that is due.
MATCH (n:{{.}}) WHERE n.tenant IS :: STRING NOT NULL AND n.key IS NOT NULL
WITH n.tenant AS tenant, count(CASE WHEN n.meaningDue = true THEN 1 END) AS due, count(*) AS records
RETURN tenant, due, records - due AS made ORDER BY tenant

// name: examine_records
// Counts each tenant's records, and says whether the tenant has its node.
MATCH (n:{{.}})
WITH n.tenant AS tenant, count(*) AS records, sum(CASE WHEN n.key IS NULL THEN 1 ELSE 0 END) AS keyless
OPTIONAL MATCH (t:Tenant {key: tenant})
RETURN tenant, records, keyless, t IS NOT NULL AS known
ORDER BY tenant

// name: examine_links
// Counts links by type, those that do not carry the ids of their ends, and those between kinds that the type
// does not link. What leads to another tenant is counted elsewhere.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant = b.tenant
WITH a, r, b, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) AS target
RETURN a.tenant AS tenant, type(r) AS type, count(*) AS links,
  sum(CASE WHEN r.tenant = a.tenant AND r.from = source + ':' + a.key AND r.to = target + ':' + b.key THEN 0 ELSE 1 END) AS misnamed,
  sum(CASE WHEN source IN $from[type(r)] AND target IN $to[type(r)] THEN 0 ELSE 1 END) AS odd
ORDER BY tenant, type

// name: mend_links
// Writes the ids of their ends to the links of a type that do not carry them.
MATCH (a {tenant: $tenant})-[r:{{.}}]->(b {tenant: $tenant})
WITH a, r, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + a.key AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + b.key AS target
WHERE NOT coalesce(r.tenant = $tenant AND r.from = source AND r.to = target, false)
CALL (r, source, target) {
  SET r.tenant = $tenant, r.from = source, r.to = target
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_crossing
// Counts links between two tenants, by the one they lead from.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant <> b.tenant
RETURN a.tenant AS tenant, count(r) AS faults

// name: examine_causes
// The causes of episodes that did not begin before them, by tenant; late are those that began after.
MATCH (effect:Episode)-[:CAUSED_BY]->(cause:Episode) WHERE cause.startedAt >= effect.startedAt
WITH effect, cause ORDER BY effect.key, cause.key
RETURN effect.tenant AS tenant,
  collect(CASE WHEN cause.startedAt > effect.startedAt THEN 'episode:' + cause.key + ' of episode:' + effect.key END) AS late

// name: causes_of_episodes
MATCH ()-[r:CAUSED_BY]->() USING INDEX SEEK r:CAUSED_BY(tenant, from, to)
WHERE r.tenant = $tenant AND r.from >= 'episode:' AND r.from < 'episode;' AND r.to > ''
RETURN r.from AS source, r.to AS target, type(r) AS type

// name: examine_owners
// Counts the records of a kind that are not linked with what a property of theirs names, and of how many that
// is not there.
MATCH (n:{{.Label}}) WHERE {{.Missing}}
RETURN n.tenant AS tenant, count(*) AS faults, sum(CASE WHEN {{.Gone}} THEN 1 ELSE 0 END) AS gone

// name: mend_owner_names
// Writes to the records of a kind what they are linked with, where a property of theirs names nothing that is there.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{.Missing}} AND {{.Gone}}
MATCH {{.Linked}}
CALL (n, o) {
  SET n.{{.Property}} = o.key{{if eq .Property "episode"}}, n.waiting = false{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: mend_owners
// Links the records of a kind with what a property of theirs names.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{.Missing}}
MATCH (o:{{.OwnerLabel}} {tenant: $tenant, key: n.{{.Property}}})
CALL (n, o) {
  CREATE {{.Pattern}}
} IN TRANSACTIONS OF 10000 ROWS

// name: mend_gone_owners
// Makes what a property of records of a kind names and is not there, but for what that said itself. It is one
// transaction, because looking for what is unique locks it against parts that would be transactions of their own.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{.Missing}} AND {{.Gone}} AND n.{{.Property}} IS :: STRING NOT NULL
WITH n.{{.Property}} AS key{{if eq .OwnerLabel "Section"}}, head(collect(n.run)) AS run{{else}}, count(*) AS records{{end}}
MERGE (o:{{.OwnerLabel}} {tenant: $tenant, key: key})
{{- if eq .OwnerLabel "Section"}} ON CREATE SET o.run = run{{end}}

// name: mend_forget_owners
// Takes away what a property of records of a kind names, where that is not there.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{.Missing}} AND {{.Gone}}
CALL (n) {
  REMOVE n.{{.Property}}
{{- if eq .Property "episode"}}
  SET n.waiting = true{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_runs
// Counts the verdicts that repeat another run than their section's.
MATCH (v:Verdict)-[:ON]->(:Section)-[:IN_RUN]->(r:Run) WHERE v.run IS NULL OR v.run <> r.key
RETURN v.tenant AS tenant, count(*) AS faults

// name: mend_runs
// Writes the runs of sections to their verdicts.
MATCH (v:Verdict {tenant: $tenant})-[:ON]->(:Section)-[:IN_RUN]->(r:Run) WHERE v.run IS NULL OR v.run <> r.key
CALL (v, r) {
  SET v.run = r.key
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_waits
// Counts the canvases and feedback that do not say whether they wait for their episode.
MATCH (n:Canvas|Feedback) WHERE NOT coalesce(n.waiting = (n.episode IS NULL), false)
RETURN n.tenant AS tenant, count(*) AS faults

// name: mend_waits
// Says of canvases and feedback whether they wait for their episode.
MATCH (n:Canvas|Feedback) WHERE n.tenant = $tenant AND NOT coalesce(n.waiting = (n.episode IS NULL), false)
CALL (n) {
  SET n.waiting = n.episode IS NULL
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_shown
// Counts the canvases that repeat another agent than their episode's.
MATCH (c:Canvas) OPTIONAL MATCH (c)<-[:PRESENTED]-(e:Episode)
WITH c, e WHERE coalesce(c.agent <> e.agent, (c.agent IS NULL) <> (e.agent IS NULL))
RETURN c.tenant AS tenant, count(*) AS faults

// name: mend_shown
// Writes the agents of episodes to their canvases.
MATCH (c:Canvas {tenant: $tenant}) OPTIONAL MATCH (c)<-[:PRESENTED]-(e:Episode)
WITH c, e WHERE coalesce(c.agent <> e.agent, (c.agent IS NULL) <> (e.agent IS NULL))
CALL (c, e) {
  SET c.agent = e.agent
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_counters
// Counts episodes whose aggregates are not those of their canvases and feedback.
MATCH (e:Episode)
WHERE {{template "miscounted"}}
RETURN e.tenant AS tenant, count(*) AS faults

// name: mend_counters
// Counts again. The first SET takes the lock that every writer of an episode takes.
MATCH (e:Episode {tenant: $tenant})
WHERE {{template "miscounted"}}
CALL (e) {
  SET e.tenant = e.tenant
  SET e.feedbackCount = COUNT { (e)-[:RECEIVED]->() }, e.canvasCount = COUNT { (e)-[:PRESENTED]->() },
      e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x),
      e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  {{template "derive"}}
} IN TRANSACTIONS OF 1000 ROWS

// name: examine_logs
// Counts episodes whose logs have another length than they say, and events of episodes that are gone.
MATCH (e:Episode) WHERE {{template "mislogged"}}
RETURN e.tenant AS tenant, count(*) AS faults, 0 AS lost
UNION ALL
MATCH (v:LogEvent) WHERE NOT EXISTS { (:Episode {tenant: v.tenant, key: v.episode}) }
RETURN v.tenant AS tenant, 0 AS faults, count(*) AS lost

// name: examine_log_sizes
// What the episodes of a tenant whose logs came in parts say of how much there is of those.
MATCH (e:Episode)
WHERE e.tenant = $tenant AND e.key > '' AND e.logEvents IS NOT NULL
RETURN e.key AS key, e.logEvents AS events, e.logBytes AS bytes, e.logLast AS last

// name: examine_log
// A stretch of a log to be measured: logs count bytes, and Cypher characters. A number that is no integer is told of where
// its event is read; nothing could be read on from it.
MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
WHERE v.tenant = $tenant AND v.episode = $key AND v.sequence >= $from AND v.sequence IS :: INTEGER NOT NULL
RETURN v.sequence AS sequence, v.type AS type, v.data AS data
ORDER BY v.tenant, v.episode, v.sequence LIMIT $limit

// name: mend_log_size
// Says how much there is of the log of an episode that is locked.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.logEvents = $events, e.logBytes = $bytes, e.logLast = $last

// name: mend_logs
// Counts logs again.
MATCH (e:Episode {tenant: $tenant}) WHERE {{template "mislogged"}}
CALL (e) {
  SET e.tenant = e.tenant
  SET e.logEvents = {{template "logged"}}
} IN TRANSACTIONS OF 1000 ROWS

// name: mend_lost_events
MATCH (v:LogEvent {tenant: $tenant}) WHERE NOT EXISTS { (:Episode {tenant: v.tenant, key: v.episode}) }
CALL (v) { DELETE v } IN TRANSACTIONS OF 10000 ROWS

// part: mislogged
e.logEvents IS NOT NULL AND NOT coalesce(e.logEvents = {{template "logged"}}, false)

// part: logged
// How many events there are of an episode e.
COUNT { MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence) WHERE v.tenant = e.tenant AND v.episode = e.key AND v.sequence IS NOT NULL }

// part: miscounted
// The condition for an episode e whose aggregates are wrong.
NOT coalesce(e.feedbackCount = COUNT { (e)-[:RECEIVED]->() } AND e.canvasCount = COUNT { (e)-[:PRESENTED]->() }
  AND e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x)
  AND e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  AND e.feedbackRank = CASE WHEN e.feedbackCount > 0 THEN toFloatOrNull(e.feedbackSum) / toFloatOrNull(e.feedbackCount) ELSE $unrated END
  AND CASE WHEN e.aggregates IS :: POINT NOT NULL THEN e.aggregates.x = e.canvasActionCount AND e.aggregates.y = e.feedbackSum AND e.aggregates.z = e.feedbackCount END
  AND (e.boosted IS NOT NULL) = (e.canvasActionCount > 0 OR e.feedbackSum > 0), false)

// name: examine_waiting
// Counts what is waited for, by whether anybody waits for it and whether it is there.
MATCH (w:Waiting)
WITH w, {{template "arrived" .}} AS arrived, EXISTS { (w)<-[:WAITS_FOR]-() } AS awaited
RETURN w.tenant AS tenant, count(*) AS waits,
  sum(CASE WHEN awaited AND arrived THEN 1 ELSE 0 END) AS late, sum(CASE WHEN awaited THEN 0 ELSE 1 END) AS idle

// name: late_waits
// What a tenant's records wait for that is there; for an execution, with the episode that covers it.
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind IS NOT NULL AND w.key IS NOT NULL AND EXISTS { (w)<-[:WAITS_FOR]-() }
WITH w WHERE {{template "arrived" .}}
RETURN w.kind AS kind, w.key AS key, CASE w.kind
  WHEN 'execution' THEN head(COLLECT {
    MATCH (:ExecutionID {tenant: $tenant, key: w.key})<-[:COVERS]-(e:Episode)
    RETURN e.key ORDER BY e.startedAt, e.key LIMIT 1 })
  ELSE w.key END AS found

// part: arrived
// Whether what a node w stands for is there.
CASE w.kind
  WHEN 'session' THEN false
  WHEN 'execution' THEN EXISTS { (x:ExecutionID)<-[:COVERS]-(:Episode) WHERE x.tenant = w.tenant AND x.key = w.key }
{{- range .}}
  WHEN '{{.Awaited}}' THEN EXISTS { (n:{{.Label}}) WHERE n.tenant = w.tenant AND n.key = w.key }
{{- end}}
  ELSE false
END

// name: idle_waits
// Removes what nobody waits for any more; the SET takes the lock of those who begin to.
MATCH (w:Waiting {tenant: $tenant}) WHERE w.kind IS NOT NULL AND w.key IS NOT NULL // for the index
SET w.tenant = w.tenant
WITH w WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
DELETE w

// name: examine_profiles
// Counts profiles that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile)
WHERE {{template "miscounted_profile"}}
RETURN p.tenant AS tenant, count(*) AS faults

// name: miscounted_profiles
// The profiles of a tenant that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile {tenant: $tenant})
WHERE {{template "miscounted_profile"}}
RETURN p.key AS key ORDER BY key

// part: miscounted_profile
// The condition for a profile p that does not sum up the executions that are linked with it, or some of episodes that are gone.
NOT coalesce(p.total = COUNT { (p)<-[:OF]-(:Execution) }
  AND toIntegerOrNull(p.total) - size(CASE WHEN p.windowKeys IS :: LIST<ANY> NOT NULL THEN p.windowKeys ELSE [] END) = COUNT { (p)<-[:OF]-(x:Execution) WHERE x.at IS NOT NULL }
  AND size(CASE WHEN p.windowKeys IS :: LIST<ANY> NOT NULL THEN p.windowKeys ELSE [] END) = CASE WHEN toIntegerOrNull(p.total) < 100 THEN p.total ELSE 100 END
  AND NOT EXISTS { (p)<-[:OF]-(x:Execution) WHERE x.key STARTS WITH 'episode:' AND NOT EXISTS { (x)-[:FROM]->(:Episode) } }, false)

// name: examine_uncounted
// Counts episodes that are executions and that no profile counts.
MATCH (e:Episode) WHERE {{template "uncounted" .}}
RETURN e.tenant AS tenant, count(*) AS faults

// part: uncounted
// Says of an episode e that it is an execution and that no profile counts it yet.
e.taskType IS NOT NULL AND e.outcome IN $outcomes AND NOT EXISTS { (e)<-[:FROM]-(:Execution) }

// name: profile_parts
// Locks a profile, and reads it with its executions.
MATCH (p:LearningProfile {tenant: $tenant, key: $key})
SET p.tenant = p.tenant
RETURN p, COLLECT { MATCH (x:Execution {tenant: $tenant, profile: $key}) RETURN x } AS executions

// name: execution_hash
MATCH (x:Execution {tenant: $tenant, key: $key})
SET x.tenant = x.tenant
RETURN x.inputHash AS inputHash

// name: forget_hash
// Takes the hash of an execution away that cannot be read.
MATCH (x:Execution {tenant: $tenant, key: $key})
SET x.inputHash = ''

// name: examine_traces
// How many traces are held of each tenant, and which of them failed many times.
MATCH (s:HeldSpan)
WITH s.tenant AS tenant, count(DISTINCT s.trace) AS held
OPTIONAL MATCH (f:FailingTrace {tenant: tenant}) WHERE f.failures >= $many
WITH tenant, held, f ORDER BY f.key
RETURN tenant, held, collect(f {.key, .failures, .reason}) AS failing

// name: forget_vector
// Takes the vectors of an episode away that cannot be read.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e += $nothing

// name: agent_anew
// Writes anew what cannot be read of an agent.
MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.name = a.key

// name: memoir_anew
// Writes anew what cannot be read of a memoir. A hash cannot be: a repetition of the call is refused then.
MATCH (m:Memoir {tenant: $tenant, key: $key})
SET m.name = CASE WHEN m.name IS :: STRING NOT NULL THEN m.name ELSE 'memoir:' + m.key END,
    m.description = CASE WHEN m.description IS :: STRING NOT NULL THEN m.description END,
    m.createdAt = CASE WHEN m.createdAt >= $first AND m.createdAt <= $last THEN m.createdAt
      ELSE coalesce(COLLECT { MATCH (m)-[:CONTAINS]->(c) WHERE c.createdAt IS :: ZONED DATETIME NOT NULL RETURN min(c.createdAt) }[0], $first) END,
    m.inputHash = CASE WHEN m.inputHash =~ '[A-Za-z0-9+/]*' AND size(toStringOrNull(m.inputHash)) % 4 <> 1 THEN m.inputHash END

// name: run_anew
// Writes anew what cannot be read of a run, of its verdicts.
MATCH (r:Run {tenant: $tenant, key: $key})
WITH r, COLLECT { MATCH (r)<-[:IN_RUN]-(:Section)<-[:ON]-(v:Verdict) WHERE v.at >= $first AND v.at <= $last RETURN v.at ORDER BY v.at } AS times
SET r.startedAt = CASE WHEN r.startedAt >= $first AND r.startedAt <= $last THEN r.startedAt ELSE coalesce(times[0], $first) END,
    r.completedAt = CASE WHEN r.completedAt IS NULL OR r.completedAt >= $first AND r.completedAt <= $last THEN r.completedAt ELSE coalesce(times[-1], $first) END
