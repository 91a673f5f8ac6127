// What the doctor looks for, and what a rebuild makes anew. What finds faults gives how many there are of each tenant.

// name: examine_server
CALL dbms.components() YIELD name, versions, edition
RETURN name + ' ' + head(versions) + ' ' + edition AS server

// name: examine_constraints
SHOW CONSTRAINTS YIELD name

// name: examine_indexes
SHOW INDEXES YIELD name, state, populationPercent

// name: examine_lengths
// How many vectors of each length the tenants have, by the properties that hold them.
MATCH (e:Episode) WHERE e.tenant IS NOT NULL
UNWIND keys(e) AS name
WITH e.tenant AS tenant, name, count(*) AS vectors WHERE name =~ 'embedding[1-9][0-9]{0,3}'
RETURN tenant, toInteger(substring(name, 9)) AS length, vectors

// name: examine_meanings
// Of how many of a tenant's records all passages have vectors, and of how many that is due.
MATCH (n:{{.}}) WHERE n.tenant IS :: STRING NOT NULL AND EXISTS { (n)-[:HAS_PASSAGE]->() }
WITH n.tenant AS tenant, count(CASE WHEN EXISTS { (n)-[:HAS_PASSAGE]->(p) WHERE p.due = true OR $endpoint AND {{template "lacking"}} } THEN 1 END) AS due, count(*) AS records
RETURN tenant, due, records - due AS made ORDER BY tenant

// name: examine_tenants
// What each tenant keeps once, as it is, and how many records it has.
CALL () {
  MATCH (n:{{.}}) WHERE n.tenant IS :: STRING NOT NULL RETURN n.tenant AS tenant, count(*) AS records
  UNION ALL
  MATCH (t:Tenant) WHERE t.key IS :: STRING NOT NULL RETURN t.key AS tenant, 0 AS records
}
WITH tenant, sum(records) AS records
RETURN tenant, records, COLLECT { MATCH (t:Tenant {key: tenant}) RETURN t {.inputKey, .vectorLength} } AS nodes
ORDER BY tenant

// name: examine_strays
// Records that nothing finds.
MATCH (n:{{.}}) WHERE n.tenant IS NULL OR n.key IS NULL
RETURN n.tenant AS tenant, count(*) AS faults

// name: examine_links
// Links that do not carry the ids of their ends. What leads to another tenant is counted elsewhere.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant = b.tenant
WITH a, r, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + a.key AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + b.key AS target
WHERE NOT coalesce(r.tenant = a.tenant AND r.from = source AND r.to = target, false)
RETURN a.tenant AS tenant, count(*) AS faults

// name: rebuild_links
// Writes the ids of their ends to the links that do not carry them.
MATCH (a {tenant: $tenant})-[r:{{.}}]->(b {tenant: $tenant})
WITH a, r, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + a.key AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + b.key AS target
WHERE NOT coalesce(r.tenant = $tenant AND r.from = source AND r.to = target, false)
CALL (r, source, target) {
  SET r.tenant = $tenant, r.from = source, r.to = target
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_crossing
// Links between two tenants, by the one they lead from.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant <> b.tenant
RETURN a.tenant AS tenant, count(r) AS faults

// part: ownerless
// The condition for a record n that is not linked as its property says.
({{if .Must}}n.{{.Property}} IS NULL OR{{else}}n.{{.Property}} IS NOT NULL AND{{end}} NOT EXISTS {
  (n){{if .Owns}}<-[:{{.Type}}]-{{else}}-[:{{.Type}}]->{{end}}(:{{.OwnerLabel}} {tenant: n.tenant, key: n.{{.Property}}})
})

// part: owner_gone
// The condition for a record n of which nothing has the key that its property names.
NOT EXISTS { (:{{.OwnerLabel}} {tenant: n.tenant, key: n.{{.Property}}}) }

// name: examine_owners
// Records of a kind that are not linked with what a property of theirs names.
MATCH (n:{{.Label}}) WHERE {{template "ownerless" .}}
RETURN n.tenant AS tenant, count(*) AS faults

// name: rebuild_owner_names
// Writes to the records of a kind what they are linked with, where a property of theirs names nothing that is there.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND {{template "owner_gone" .}}
MATCH (n){{if .Owns}}<-[:{{.Type}}]-{{else}}-[:{{.Type}}]->{{end}}(o:{{.OwnerLabel}} {tenant: $tenant})
CALL (n, o) {
  SET n.{{.Property}} = o.key{{if eq .Property "episode"}}, n.waiting = false{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: rebuild_owners
// Links the records of a kind with what a property of theirs names.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{template "ownerless" .}}
MATCH (o:{{.OwnerLabel}} {tenant: $tenant, key: n.{{.Property}}})
CALL (n, o) {
  CREATE {{if .Owns}}(o)-[:{{.Type}} {tenant: $tenant, from: '{{.Owner}}:' + o.key, to: '{{.Kind}}:' + n.key}]->(n)
  {{- else}}(n)-[:{{.Type}} {tenant: $tenant, from: '{{.Kind}}:' + n.key, to: '{{.Owner}}:' + o.key}]->(o){{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: rebuild_gone_owners
// Makes what a property of records of a kind names and is not there, but for what that said itself. It is one
// transaction, because looking for what is unique locks it against parts that would be transactions of their own.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND {{template "owner_gone" .}} AND n.{{.Property}} IS :: STRING NOT NULL
WITH n.{{.Property}} AS key{{if eq .OwnerLabel "Section"}}, head(collect(n.run)) AS run{{else}}, count(*) AS records{{end}}
MERGE (o:{{.OwnerLabel}} {tenant: $tenant, key: key})
{{- if eq .OwnerLabel "Section"}} ON CREATE SET o.run = run{{end}}

// name: rebuild_nameless
// Takes away what a property of records of a kind names, where that is not there.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND {{template "owner_gone" .}}
CALL (n) {
  REMOVE n.{{.Property}}
{{- if eq .Property "episode"}}
  SET n.waiting = true{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_runs
// Verdicts that repeat another run than their section's.
MATCH (v:Verdict)-[:ON]->(:Section)-[:IN_RUN]->(r:Run) WHERE v.run IS NULL OR v.run <> r.key
RETURN v.tenant AS tenant, count(*) AS faults

// name: rebuild_runs
// Writes the runs of sections to their verdicts.
MATCH (v:Verdict {tenant: $tenant})-[:ON]->(:Section)-[:IN_RUN]->(r:Run) WHERE v.run IS NULL OR v.run <> r.key
CALL (v, r) {
  SET v.run = r.key
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_waits
// Canvases and feedback that do not say whether they wait for their episode.
MATCH (n:Canvas|Feedback) WHERE NOT coalesce(n.waiting = (n.episode IS NULL), false)
RETURN n.tenant AS tenant, count(*) AS faults

// name: rebuild_waits
// Says of canvases and feedback whether they wait for their episode.
MATCH (n:Canvas|Feedback) WHERE n.tenant = $tenant AND NOT coalesce(n.waiting = (n.episode IS NULL), false)
CALL (n) {
  SET n.waiting = n.episode IS NULL
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_shown
// Canvases that repeat another agent than their episode's.
MATCH (c:Canvas) OPTIONAL MATCH (c)<-[:PRESENTED]-(e:Episode)
WITH c, e WHERE coalesce(c.agent <> e.agent, (c.agent IS NULL) <> (e.agent IS NULL))
RETURN c.tenant AS tenant, count(*) AS faults

// name: rebuild_shown
// Writes the agents of episodes to their canvases.
MATCH (c:Canvas {tenant: $tenant}) OPTIONAL MATCH (c)<-[:PRESENTED]-(e:Episode)
WITH c, e WHERE coalesce(c.agent <> e.agent, (c.agent IS NULL) <> (e.agent IS NULL))
CALL (c, e) {
  SET c.agent = e.agent
} IN TRANSACTIONS OF 10000 ROWS

// name: examine_counters
// Episodes whose aggregates are not those of their canvases and feedback.
MATCH (e:Episode)
WHERE {{template "miscounted"}}
RETURN e.tenant AS tenant, count(*) AS faults

// name: rebuild_counters
// Counts again. The first SET takes the lock that every writer of an episode takes.
MATCH (e:Episode {tenant: $tenant})
WHERE {{template "miscounted"}}
CALL (e) {
  SET e.tenant = e.tenant
  SET e.feedbackCount = COUNT { (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL }, e.canvasCount = COUNT { (e)-[:PRESENTED]->() },
      e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x),
      e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  {{template "derive"}}
} IN TRANSACTIONS OF 1000 ROWS

// name: examine_logs
// Episodes whose logs that came in parts have another length than they say.
MATCH (e:Episode) WHERE {{template "mislogged"}}
RETURN e.tenant AS tenant, count(*) AS faults

// name: rebuild_logs
// Counts logs again. Cypher counts characters: bytes are only written where there is no number of them.
MATCH (e:Episode {tenant: $tenant}) WHERE {{template "mislogged"}}
CALL (e) {
  SET e.tenant = e.tenant
  WITH e, COLLECT { {{template "logged"}} RETURN [v.sequence, size(coalesce(toStringOrNull(v.type), '') + coalesce(toStringOrNull(v.data), ''))] } AS log
  SET e.logEvents = size(log), e.logLast = reduce(last = -1, entry IN log | CASE WHEN entry[0] > last THEN entry[0] ELSE last END),
      e.logBytes = CASE WHEN e.logBytes IS :: INTEGER NOT NULL AND e.logBytes >= 0 THEN e.logBytes ELSE reduce(bytes = 0, entry IN log | bytes + entry[1]) END
} IN TRANSACTIONS OF 100 ROWS

// name: examine_lost_events
MATCH (v:LogEvent) WHERE NOT EXISTS { (:Episode {tenant: v.tenant, key: v.episode}) }
RETURN v.tenant AS tenant, count(*) AS faults

// name: rebuild_lost_events
MATCH (v:LogEvent {tenant: $tenant}) WHERE NOT EXISTS { (:Episode {tenant: v.tenant, key: v.episode}) }
CALL (v) { DELETE v } IN TRANSACTIONS OF 10000 ROWS

// name: examine_lost_passages
MATCH (p:Passage) WHERE NOT EXISTS { (p)<-[:HAS_PASSAGE]-() }
RETURN p.tenant AS tenant, count(*) AS faults

// name: rebuild_lost_passages
MATCH (p:Passage) WHERE p.tenant = $tenant AND NOT EXISTS { (p)<-[:HAS_PASSAGE]-() }
CALL (p) { DELETE p } IN TRANSACTIONS OF 10000 ROWS

// name: told
// The next records of a kind, by key, with what they say and their passages.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $page.after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN {{template "what_is_told" .}}

// name: lock_told
// The same of some records, once they are locked.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
RETURN {{template "what_is_told" .}}

// part: what_is_told
n, COLLECT { MATCH (n)-[:HAS_PASSAGE]->(p) RETURN p {.*} ORDER BY p.number } AS passages
{{- if eq . "Episode"}}, COLLECT {
  MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
  WHERE v.tenant = $tenant AND v.episode = n.key AND v.sequence IS NOT NULL
  RETURN v ORDER BY v.sequence
} AS logged{{end}}

// part: mislogged
// The condition for an episode e whose log has another length than it says.
e.logEvents IS NOT NULL AND NOT coalesce(e.logBytes IS :: INTEGER NOT NULL AND e.logBytes >= 0
  AND e.logEvents = COUNT { {{template "logged"}} } AND e.logLast = coalesce(COLLECT { {{template "logged"}} RETURN max(v.sequence) }[0], -1), false)

// part: logged
// The events v of an episode e.
MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence) WHERE v.tenant = e.tenant AND v.episode = e.key AND v.sequence IS :: INTEGER NOT NULL

// part: miscounted
// The condition for an episode e whose aggregates are wrong.
NOT coalesce(e.feedbackCount = COUNT { (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL } AND e.canvasCount = COUNT { (e)-[:PRESENTED]->() }
  AND e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x)
  AND e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  AND e.feedbackRank = CASE WHEN e.feedbackCount > 0 THEN toFloatOrNull(e.feedbackSum) / toFloatOrNull(e.feedbackCount) ELSE $unrated END
  AND CASE WHEN e.aggregates IS :: POINT NOT NULL THEN e.aggregates.x = e.canvasActionCount AND e.aggregates.y = e.feedbackSum AND e.aggregates.z = e.feedbackCount END
  AND (e.liked IS NOT NULL) = (e.canvasActionCount > 0 OR e.feedbackSum > 0), false)

// name: examine_waiting
// What is waited for and is there.
MATCH (w:Waiting) WHERE EXISTS { (w)<-[:WAITS_FOR]-() }
WITH w WHERE {{template "arrived" .}}
RETURN w.tenant AS tenant, count(*) AS faults

// name: examine_idle_waits
// What nobody waits for any more.
MATCH (w:Waiting) WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
RETURN w.tenant AS tenant, count(*) AS faults

// name: rebuild_idle_waits
// Removes what nobody waits for any more; the SET takes the lock of those who begin to.
MATCH (w:Waiting {tenant: $tenant}) WHERE w.kind IS NOT NULL AND w.key IS NOT NULL // for the index
SET w.tenant = w.tenant
WITH w WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
DELETE w

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

// name: examine_profiles
// Profiles that do not sum up the executions that are linked with them.
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
// Episodes that are executions and that no profile counts.
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
