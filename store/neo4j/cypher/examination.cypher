// What the doctor looks for, and what a rebuild mends: the statements of package invariants in two forms (see cypher.Forms).

// name: examine_server
CALL dbms.components() YIELD name, versions, edition
RETURN name + ' ' + head(versions) + ' ' + edition AS server

// name: examine_indexes
SHOW INDEXES YIELD name, state, owningConstraint
RETURN name, state, CASE WHEN owningConstraint IS NULL THEN 'INDEX' ELSE 'CONSTRAINT' END AS of

// name: examine_meanings
// Of how many of a tenant's records all passages have vectors, and of how many that is due.
MATCH (n:{{.}}) WHERE n.tenant IS :: STRING NOT NULL AND EXISTS { (n)-[:HAS_PASSAGE]->() }
WITH n.tenant AS tenant, count(CASE WHEN EXISTS { (n)-[:HAS_PASSAGE]->(p) WHERE p.due = true OR $endpoint AND (p.embedded IS NULL OR $length > 0 AND p.embedded <> $length) } THEN 1 END) AS due, count(*) AS records
RETURN tenant, due, records - due AS made ORDER BY tenant

// name: homeless
// The tenants that have records and no node.
MATCH (n:{{.}}) WHERE n.tenant IS :: STRING NOT NULL AND NOT EXISTS { (:Tenant {key: n.tenant}) }
RETURN DISTINCT n.tenant AS tenant ORDER BY tenant

// name: examine_settings
// What a tenant keeps once, and whether it has anything whose input was hashed.
OPTIONAL MATCH (t:Tenant {key: $tenant})
RETURN t.inputKey AS key, t.vectorLength AS length, {{template "any_record"}} AS has

// name: examine_traces
// How many traces are held of each tenant, and which of them failed many times.
MATCH (s:HeldSpan)
WITH s.tenant AS tenant, count(DISTINCT s.trace) AS held
RETURN tenant, held, COLLECT {
  MATCH (f:FailingTrace {tenant: tenant}) WHERE f.failures >= $many
  RETURN f.key + ' (' + f.failures + ' times: ' + f.reason + ')' ORDER BY f.key
} AS failing

// part: ours
// Restricts a node to the tenant that is mended.
{{if .Mend}}{tenant: $tenant}{{end}}

// part: count
RETURN {{.}}.tenant AS tenant, count(*) AS broken

// name: invariant_keyless
MATCH (n:{{.Of}} {{template "ours" .}}) WHERE n.key IS NULL OR n.tenant IS NULL
{{if .Mend}}CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_lost_passages
MATCH (n:Passage {{template "ours" .}}) WHERE NOT EXISTS { (n)<-[:HAS_PASSAGE]-() }
{{if .Mend}}CALL (n) { DELETE n } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_lost_events
MATCH (n:LogEvent {{template "ours" .}}) WHERE NOT EXISTS { (:Episode {tenant: n.tenant, key: n.episode}) }
{{if .Mend}}CALL (n) { DELETE n } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_crossing
MATCH (n {{template "ours" .}})-[r:{{.Of}}]->(m) WHERE m.tenant <> n.tenant
{{if .Mend}}CALL (r) { DELETE r } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_misnamed
MATCH (n {{template "ours" .}})-[r:{{.Of}}]->(m) WHERE m.tenant = n.tenant
WITH n, r, head([l IN labels(n) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + n.key AS source,
     head([l IN labels(m) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + m.key AS target
WHERE NOT coalesce(r.tenant = n.tenant AND r.from = source AND r.to = target, false)
{{if .Mend}}CALL (n, r, source, target) { SET r.tenant = n.tenant, r.from = source, r.to = target } IN TRANSACTIONS OF 10000 ROWS
{{- else}}{{template "count" "n"}}{{end}}

// part: ownerless
// The condition for a record n that is not linked as its property says.
({{if .Must}}n.{{.Property}} IS NULL OR{{else}}n.{{.Property}} IS NOT NULL AND{{end}} NOT EXISTS {
  (n){{if .Owns}}<-[:{{.Type}}]-{{else}}-[:{{.Type}}]->{{end}}(:{{label .Owner}} {tenant: n.tenant, key: n.{{.Property}}})
})

// name: mend_owner_names
// Writes to the records of a kind what they are linked with, where a property of theirs names nothing that is there.
MATCH (n:{{label .Kind}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND NOT EXISTS { (:{{label .Owner}} {tenant: n.tenant, key: n.{{.Property}}}) }
MATCH (n){{if .Owns}}<-[:{{.Type}}]-{{else}}-[:{{.Type}}]->{{end}}(o:{{label .Owner}} {tenant: $tenant})
CALL (n, o) {
  SET n.{{.Property}} = o.key{{if eq .Property "episode"}}, n.waiting = false{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: mend_gone_owners
// Makes what a property of records of a kind names and is not there, but for what that said itself. It is one
// transaction, because looking for what is unique locks it against parts that would be transactions of their own.
MATCH (n:{{label .Kind}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND NOT EXISTS { (:{{label .Owner}} {tenant: n.tenant, key: n.{{.Property}}}) } AND n.{{.Property}} IS :: STRING NOT NULL
WITH n.{{.Property}} AS key{{if eq .Owner "section"}}, head(collect(n.run)) AS run{{else}}, count(*) AS records{{end}}
MERGE (o:{{label .Owner}} {tenant: $tenant, key: key})
{{- if eq .Owner "section"}} ON CREATE SET o.run = run{{end}}

// name: mend_nameless
// Takes away what a property of records of a kind names, where that is not there.
MATCH (n:{{label .Kind}} {tenant: $tenant}) WHERE {{template "ownerless" .}} AND NOT EXISTS { (:{{label .Owner}} {tenant: n.tenant, key: n.{{.Property}}}) }
CALL (n) {
  REMOVE n.{{.Property}}
{{- if eq .Property "episode"}}
  SET n.waiting = true{{end}}
} IN TRANSACTIONS OF 10000 ROWS

// name: invariant_unlinked
// Links the records of a kind with what a property of theirs names.
{{with .Of -}}
MATCH (n:{{label .Kind}} {{template "ours" $}}) WHERE {{template "ownerless" .}}
{{if $.Mend}}MATCH (o:{{label .Owner}} {tenant: $tenant, key: n.{{.Property}}})
CALL (n, o) {
  CREATE {{if .Owns}}(o)-[:{{.Type}} {tenant: $tenant, from: '{{.Owner}}:' + o.key, to: '{{.Kind}}:' + n.key}]->(n)
  {{- else}}(n)-[:{{.Type}} {tenant: $tenant, from: '{{.Kind}}:' + n.key, to: '{{.Owner}}:' + o.key}]->(o){{end}}
} IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}{{end}}

// name: invariant_misjudged
MATCH (n:Verdict {{template "ours" .}})-[:ON]->(:Section)-[:IN_RUN]->(r:Run) WHERE n.run IS NULL OR n.run <> r.key
{{if .Mend}}CALL (n, r) { SET n.run = r.key } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_misshown
MATCH (n:Canvas {{template "ours" .}}) OPTIONAL MATCH (n)<-[:PRESENTED]-(e:Episode)
WITH n, e WHERE coalesce(n.agent <> e.agent, (n.agent IS NULL) <> (e.agent IS NULL))
{{if .Mend}}CALL (n, e) { SET n.agent = e.agent } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: invariant_miscounted
// The first SET takes the lock that every writer of an episode takes.
MATCH (e:Episode {{template "ours" .}})
{{template "sums"}}
WHERE NOT coalesce(e.feedbackCount = reactions AND e.canvasCount = canvases AND e.feedbackSum = scores AND e.canvasActionCount = actions
  AND e.feedbackRank = CASE WHEN e.feedbackCount > 0 THEN toFloatOrNull(e.feedbackSum) / toFloatOrNull(e.feedbackCount) ELSE $unrated END
  AND CASE WHEN e.aggregates IS :: POINT NOT NULL THEN e.aggregates.x = e.canvasActionCount AND e.aggregates.y = e.feedbackSum AND e.aggregates.z = e.feedbackCount END
  AND (e.boosted IS NOT NULL) = (e.canvasActionCount > 0 OR e.feedbackSum > 0), false)
{{if .Mend}}CALL (e) {
  SET e.tenant = e.tenant
  {{template "sums"}}
  SET e.feedbackCount = reactions, e.canvasCount = canvases, e.feedbackSum = scores, e.canvasActionCount = actions
  {{template "derive"}}
} IN TRANSACTIONS OF 1000 ROWS{{else}}{{template "count" "e"}}{{end}}

// part: sums
// What an episode e repeats of its canvases and feedback.
WITH e, COUNT { (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL } AS reactions, COUNT { (e)-[:PRESENTED]->() } AS canvases,
  reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) WHERE f.replacedAt IS NULL RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x) AS scores,
  reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x) AS actions

// name: invariant_mislogged
// Cypher counts characters: bytes are only written where there is no number of them.
MATCH (e:Episode {{template "ours" .}})
WHERE e.logEvents IS NOT NULL AND NOT coalesce(e.logBytes IS :: INTEGER NOT NULL AND e.logBytes >= 0
  AND e.logEvents = COUNT { {{template "logged"}} } AND e.logLast = coalesce(COLLECT { {{template "logged"}} RETURN max(v.sequence) }[0], -1), false)
{{if .Mend}}CALL (e) {
  SET e.tenant = e.tenant
  WITH e, COLLECT { {{template "logged"}} RETURN [v.sequence, size(coalesce(toStringOrNull(v.type), '') + coalesce(toStringOrNull(v.data), ''))] } AS log
  SET e.logEvents = size(log), e.logLast = reduce(last = -1, entry IN log | CASE WHEN entry[0] > last THEN entry[0] ELSE last END),
      e.logBytes = CASE WHEN e.logBytes IS :: INTEGER NOT NULL AND e.logBytes >= 0 THEN e.logBytes ELSE reduce(bytes = 0, entry IN log | bytes + entry[1]) END
} IN TRANSACTIONS OF 100 ROWS{{else}}{{template "count" "e"}}{{end}}

// part: logged
// The events v of an episode e.
MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence) WHERE v.tenant = e.tenant AND v.episode = e.key AND v.sequence IS :: INTEGER NOT NULL

// name: invariant_misawaited
MATCH (n:Canvas|Feedback {{template "ours" .}}) WHERE NOT coalesce(n.waiting = (n.episode IS NULL), false)
{{if .Mend}}CALL (n) { SET n.waiting = n.episode IS NULL } IN TRANSACTIONS OF 10000 ROWS{{else}}{{template "count" "n"}}{{end}}

// name: count_arrived
MATCH (w:Waiting)<-[:WAITS_FOR]-(o)
WITH DISTINCT w, o.user AS user WHERE {{template "arrived" .}}
{{template "count" "w"}}

// name: invariant_idle
// The SET takes the lock of those who begin to wait.
MATCH (n:Waiting {{template "ours" .}}) WHERE NOT EXISTS { (n)<-[:WAITS_FOR]-() }
{{if .Mend}}CALL (n) { SET n.tenant = n.tenant WITH n WHERE NOT EXISTS { (n)<-[:WAITS_FOR]-() } DELETE n } IN TRANSACTIONS OF 1000 ROWS
{{- else}}{{template "count" "n"}}{{end}}

// name: late_waits
// What a tenant's records wait for that is there; for an execution, with the episode that covers it.
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind IS NOT NULL AND w.key IS NOT NULL
MATCH (w)<-[:WAITS_FOR]-(o)
WITH DISTINCT w, o.user AS user WHERE {{template "arrived" .}}
RETURN DISTINCT w.kind AS kind, w.key AS key, CASE w.kind
  WHEN 'execution' THEN head(COLLECT {
    MATCH (:ExecutionID {tenant: $tenant, key: w.key})<-[:COVERS]-(e:Episode)
    RETURN e.key ORDER BY e.startedAt, e.key LIMIT 1 })
  ELSE w.key END AS found

// part: arrived
// Whether what a node w stands for is there, for what is of a user: it may be another's.
CASE w.kind
  WHEN 'session' THEN false
  WHEN 'execution' THEN EXISTS { (x:ExecutionID)<-[:COVERS]-(n:Episode) WHERE x.tenant = w.tenant AND x.key = w.key AND (n.user IS NULL OR n.user = user) }
{{- range .}}
  WHEN '{{.Awaited}}' THEN EXISTS { (n:{{label .Kind}}) WHERE n.tenant = w.tenant AND n.key = w.key AND (n.user IS NULL OR n.user = user) }
{{- end}}
  ELSE false
END

// name: count_missummed
MATCH (p:LearningProfile) WHERE {{template "miscounted_profile"}}
{{template "count" "p"}}

// name: miscounted_profiles
// The profiles of a tenant that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile {tenant: $tenant})
WHERE {{template "miscounted_profile"}}
RETURN p.key AS key ORDER BY key

// part: miscounted_profile
// The condition for a profile p that does not sum up the executions that are linked with it, or some of episodes that are gone.
NOT coalesce(p.total = COUNT { (p)<-[:OF]-(:Execution) }
  AND size(CASE WHEN p.windowAt IS :: LIST<ANY> NOT NULL THEN p.windowAt ELSE [] END) = CASE WHEN toIntegerOrNull(p.total) < 100 THEN p.total ELSE 100 END
  AND NOT EXISTS { (p)<-[:OF]-(x:Execution) WHERE x.key STARTS WITH 'episode:' AND NOT EXISTS { (x)-[:FROM]->(:Episode) } }, false)

// name: count_uncounted
MATCH (e:Episode) WHERE {{template "uncounted"}}
{{template "count" "e"}}

// part: uncounted
// Says of an episode e that it is an execution and that no profile counts it yet.
e.taskType IS NOT NULL AND e.outcome IN $outcomes AND NOT EXISTS { (e)<-[:FROM]-(:Execution) }

// name: told
// The next records of a kind, by key, with what they say and their passages.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $after
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
n, COLLECT { MATCH (n)-[:HAS_PASSAGE]->(p) RETURN p {.*, .words, id: id(p)} ORDER BY p.number } AS passages
{{- if eq . "Episode"}}, COLLECT {
  MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
  WHERE v.tenant = $tenant AND v.episode = n.key AND v.sequence IS NOT NULL
  RETURN v ORDER BY v.sequence
} AS logged{{end}}

// name: forget_hash
// Takes the hash of an execution away that cannot be read.
MATCH (x:Execution {tenant: $tenant, key: $key})
SET x.inputHash = ''

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
