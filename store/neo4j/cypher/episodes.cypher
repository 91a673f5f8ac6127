// Episodes: writing them, what is counted of them, how they are told, filtered, listed and linked.

// name: create_episodes
// Creates episodes with their agents, sessions, people and executions, and tells what lies around those in sessions.
{{template "notice"}}
CALL () {
UNWIND $rows AS row
MERGE (a:Agent {tenant: $tenant, key: row.properties.agent}) ON CREATE SET a.name = a.key
FOREACH (name IN CASE WHEN row.agentName IS NULL THEN [] ELSE [row.agentName] END | SET a.name = name)
CREATE (e:Episode) SET e = row.properties
CREATE (a)-[:RAN {tenant: $tenant, from: 'agent:' + a.key, to: 'episode:' + e.key}]->(e)
FOREACH (key IN CASE WHEN row.properties.session IS NULL THEN [] ELSE [row.properties.session] END |
  MERGE (s:Session {tenant: $tenant, key: key})
  CREATE (e)-[:IN_SESSION {tenant: $tenant, from: 'episode:' + e.key, to: 'session:' + key}]->(s))
FOREACH (key IN CASE WHEN row.properties.user IS NULL THEN [] ELSE [row.properties.user] END |
  MERGE (p:Person {tenant: $tenant, key: key})
  CREATE (e)-[:FOR {tenant: $tenant, from: 'episode:' + e.key, to: 'person:' + key}]->(p))
FOREACH (key IN row.executions |
  MERGE (x:ExecutionID {tenant: $tenant, key: key})
  CREATE (e)-[:COVERS]->(x))
}
CALL () {
  {{template "keep_vectors"}}
}
CALL () {
  {{template "keep_passages" "Episode"}}
}
UNWIND $arriving AS arrived
{{template "around" .}}
RETURN arrived.key AS key, before, next

// part: around
// What lies around an episode of a session that is there.
CALL (arrived) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = arrived.session AND e.startedAt < arrived.startedAt AND e.key IS NOT NULL AND {{template "of_user" .}}
  WITH e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT 1
  RETURN max(e.startedAt) AS before
}
CALL (arrived) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = arrived.session AND e.startedAt > arrived.startedAt AND e.key IS NOT NULL AND {{template "of_user" .}}
  WITH e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
  RETURN min(e.startedAt) AS next
}

// part: of_user
// Whether an episode e is of the user of one that arrived, or one of them of nobody.
(arrived.user IS NULL OR e.user IS NULL OR e.user = arrived.user)

// name: session_of
// The session of an episode that is in one.
MATCH (e:Episode {tenant: $tenant, key: $key}) WHERE e.session IS NOT NULL
RETURN e.session AS session

// name: around_episode
// An episode of a session, and what lies around it there.
MATCH (e:Episode {tenant: $tenant, key: $key})
WITH e {{template "span" .}} AS span, e {.key, .session, .user, .startedAt} AS arrived
{{template "around" .}}
RETURN span, before, next

// name: conclude
// Sets the end of an episode that has none yet, and tells how it went; verdict says why not where it does not.
// What was deleted while we waited for its lock has no properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
WITH e, CASE WHEN e.concluded THEN 'concluded' WHEN e.tokensBefore <> $tokensBefore OR e.tokensAfter <> $tokensAfter THEN 'changed' WHEN $properties.endedAt < e.startedAt THEN 'ends early' ELSE '' END AS verdict
FOREACH (open IN CASE WHEN verdict = '' THEN [e] ELSE [] END |
  SET open += $properties
  SET open.knownAt = coalesce(open.endedAt, open.startedAt))
RETURN verdict, e { .tenant, {{stored "episode"}}, {{stored "contents"}}, .leftOut } AS said, {{template "kept" "e"}} AS passages

// name: amend
// Replaces what an episode says, unless it is another than the caller saw; verdict says why not where it
// does not. An outcome that is set stays, with the end and the quality. What was deleted while we waited for its lock
// has no properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
WITH e, CASE WHEN e.inputHash <> $wasHash OR e.concluded <> $wasConcluded OR $logged > 0 AND NOT coalesce(e.logEvents = $logged, false) THEN 'changed'
             WHEN $ending.endedAt < coalesce($ending.startedAt, e.startedAt) THEN 'ends early' ELSE '' END AS verdict
FOREACH (amended IN CASE WHEN verdict = '' THEN [e] ELSE [] END | SET amended += $properties)
FOREACH (open IN CASE WHEN verdict = '' AND NOT $wasConcluded THEN [e] ELSE [] END |
  SET open += $ending
  SET open.knownAt = coalesce(open.endedAt, open.startedAt))
RETURN verdict, e { .tenant, {{stored "episode"}}, .title, .observation, .result, .insight, .leftOut } AS said, {{template "kept" "e"}} AS passages

// name: ended_episodes
// What the executions are made of that episodes are.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
RETURN e { {{- stored "episode"}}} AS ended

// name: whole_episode
// Locks an episode and tells all of it but its log. What was deleted while we waited for its lock has no properties
// any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
RETURN e.inputHash AS hash, e.logEvents IS NOT NULL AS parts, {{template "episode" .}}

// name: set_vector
{{template "keep_vectors"}}

// part: keep_vectors
// Writes embeddings of episodes that are there in half as many bytes as SET does. They come apart from the rows of properties: each step of a
// plan that waits for all rows would hold a vector in a row once more.
UNWIND $vectors AS vector
MATCH (e:Episode {tenant: $tenant, key: vector.key})
CALL db.create.setNodeVectorProperty(e, vector.property, vector.numbers)

// name: count_events
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: $key})
RETURN size(CASE WHEN e.eventTypes IS :: LIST<ANY> NOT NULL THEN e.eventTypes ELSE [] END) + coalesce(toIntegerOrNull(e.logEvents), 0) AS n

// name: events
// A stretch of the log of an episode: of lists that were recorded with it, or of what came in parts.
MATCH (e:Episode {tenant: $tenant, key: $key})
RETURN CASE WHEN e.eventTypes IS :: LIST<ANY> NOT NULL THEN e.eventTypes[$from..$to] ELSE e.eventTypes END AS eventTypes, CASE WHEN e.eventData IS :: LIST<ANY> NOT NULL THEN e.eventData[$from..$to] ELSE e.eventData END AS eventData, CASE WHEN e.eventTimes IS :: LIST<ANY> NOT NULL THEN e.eventTimes[$from..$to] ELSE e.eventTimes END AS eventTimes,
  COLLECT {
    MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
    WHERE v.tenant = $tenant AND v.episode = $key AND v.sequence >= $from
    WITH v ORDER BY v.tenant, v.episode, v.sequence LIMIT $limit
    RETURN v
  } AS logged

// name: open_log
// Locks an episode and tells how much there is of its log, and what is under some numbers. What was deleted while we
// waited for its lock has no properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
OPTIONAL MATCH (last:LogEvent {tenant: $tenant, episode: $key, sequence: e.logLast})
RETURN e.inputHash AS hash, e.concluded AS concluded, coalesce(e.logEvents, 0) AS events, coalesce(e.logBytes, 0) AS bytes,
  coalesce(e.logLast, -1) AS last, coalesce(last.type, '') AS lastType, e.tokensBefore AS tokensBefore, e.tokensAfter AS tokensAfter,
  e.redactionKinds AS redactionKinds, e.redactionCounts AS redactionCounts, e {.tenant, .key, .agent, .session, .taskType, .user, .startedAt, .leftOut} AS said,
  COLLECT { MATCH (e)-[:HAS_PASSAGE]->(p) RETURN p {id: id(p), .number, text: CASE WHEN p.text IN $texts THEN p.text END} ORDER BY p.number } AS passages,
  COLLECT { MATCH (e)-[:CAUSED_BY]->(cause:Episode) WHERE 0 IN $numbers RETURN [cause.key, cause.startedAt] } AS causes,
  COLLECT { UNWIND $numbers AS number MATCH (v:LogEvent {tenant: $tenant, episode: $key, sequence: number}) RETURN v } AS known

// name: append_events
// Adds events to a log, and what is counted of it to its episode.
CALL () {
  MATCH (e:Episode {tenant: $tenant, key: $key})
  SET e += $properties
}
CALL () {
  UNWIND $rows AS row
  CREATE (:LogEvent {tenant: $tenant, episode: $key, sequence: row.sequence, type: row.type, data: row.data, at: row.at})
}
{{template "change_passages" "Episode"}}

// name: drop_logs
// Deletes the logs of episodes that are gone.
UNWIND $keys AS key
MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
WHERE v.tenant = $tenant AND v.episode = key AND v.sequence IS NOT NULL
DELETE v

// name: mentioned
// The concepts that episodes mention.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})-[:MENTIONS]->(c:Concept)
RETURN e.key AS episode, c AS n
ORDER BY c.name, c.key

// name: adjust
// Brings the aggregates of episodes up to date; the first SET takes the lock.
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, key: row.key})
SET e.tenant = e.tenant
SET e.canvasActionCount = {{template "countable" "e.canvasActionCount"}} + row.actions,
    e.canvasCount = {{template "countable" "e.canvasCount"}} + row.canvases,
    e.feedbackSum = {{template "countable" "e.feedbackSum"}} + row.sum,
    e.feedbackCount = {{template "countable" "e.feedbackCount"}} + row.count
{{template "derive"}}
RETURN count(e.key) AS adjusted

// part: derive
// Sets what follows from the aggregates of an episode e. Readers are told these as one point: they read property by
// property, beside writers, and those of one write must stay together.
SET e.aggregates = point({x: e.canvasActionCount, y: e.feedbackSum, z: e.feedbackCount}),
    e.aggregateFeedbackScore = CASE WHEN e.feedbackCount > 0 THEN e.feedbackSum / e.feedbackCount END
SET e.feedbackRank = coalesce(e.aggregateFeedbackScore, $unrated), e.boosted = CASE WHEN e.canvasActionCount > 0 OR e.feedbackSum > 0 THEN true END

// part: countable
// A number that more can be added to; 0 for what is none, until the doctor counts anew.
CASE WHEN {{.}} >= -9007199254740992 AND {{.}} <= 9007199254740992 THEN {{.}} ELSE 0 END

// name: episodes
{{if .One -}}
MATCH (e:Episode {tenant: $tenant, key: $key})
{{- else -}}
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
{{- end}}
{{- if .AsOf}}
WHERE e.knownAt <= $asOf{{end}}
RETURN {{template "episode" .}}

// part: episode
// The columns of an episode e and of what comes along: never its vector, never its log.
e { {{- stored "episode"}},
  {{- if .HeadOnly}} .title, observation: '', insight: '', tokensBefore: 0, tokensAfter: 0,
  {{- else if .Brief}} .title, observation: {{template "beginning" "e.observation"}}, result: {{template "beginning" "e.result"}},
  insight: {{template "beginning" "e.insight"}}, {{stored "receipt"}},
  {{- else}} {{stored "contents"}},{{end}} {{template "aggregates" .}}} AS episode
{{- if .WithAgent}},
  head([(a:Agent)-[:RAN]->(e) | a.name]) AS agentName{{end}}
{{- /* Few neighbours are read from the episode, the newest of many from an index; the reader sorts them. */ -}}
{{- if .WithCanvases}},
  CASE WHEN e.canvasCount <= $contextLimit THEN [(e)-[:PRESENTED]->(c:Canvas){{if .AsOf}} WHERE c.createdAt <= $asOf{{end}} | c] ELSE COLLECT {
    MATCH (c:Canvas) USING INDEX SEEK c:Canvas(tenant, episode, createdAt, key)
    WHERE c.tenant = $tenant AND c.episode = e.key AND c.createdAt <= $latest AND c.key IS NOT NULL
    WITH c ORDER BY c.tenant DESC, c.episode DESC, c.createdAt DESC, c.key LIMIT $contextLimit
    RETURN c
  } END AS canvases{{end}}
{{- if .WithFeedback}},
  CASE WHEN e.feedbackCount <= $contextLimit THEN [(e)-[:RECEIVED]->(f:Feedback) WHERE {{template "feedback_counts" .}} | f] ELSE COLLECT {
    MATCH (f:Feedback) USING INDEX SEEK f:Feedback(tenant, episode, createdAt, key)
    WHERE f.tenant = $tenant AND f.episode = e.key AND f.createdAt <= $latest AND f.key IS NOT NULL AND {{template "feedback_counts" .}}
    WITH f ORDER BY f.tenant DESC, f.episode DESC, f.createdAt DESC, f.key LIMIT $contextLimit
    RETURN f
  } END AS feedback{{end}}

// part: beginning
// As much of a text as a brief episode has; what is none comes as it is.
CASE WHEN {{.}} IS :: STRING THEN left({{.}}, 4096) ELSE {{.}} END

// part: aggregates
// The aggregates of an episode e, as of an instant where one is given: then what they are sums of.
{{if .AsOf -}}
aggregates: {scores: {{template "scores" "e"}}, actions: CASE WHEN e.canvasCount > 0 THEN
    [(e)-[:PRESENTED]->(c) WHERE c.actionTimes IS :: LIST<ANY> NOT NULL | size([at IN c.actionTimes WHERE at <= $asOf])] END}
{{- else -}}
.aggregates
{{- end}}

// part: scores
// The scores of an episode as of an instant. None may count now, where what replaced one is gone.
[({{.}})-[:RECEIVED]->(f) WHERE {{template "counted_then"}} | coalesce(toFloatOrNull(f.score), 0.0)]

// part: feedback_counts
// Whether a feedback f counts: now what was not replaced, as of an instant what was not replaced then.
{{if .AsOf}}{{template "counted_then"}}{{else}}f.replacedAt IS NULL{{end}}

// part: counted_then
// Whether a feedback f counted at an instant.
f.createdAt <= $asOf AND (f.replacedAt IS NULL OR f.replacedAt > $asOf)

// name: list_episodes
// A page of episodes in the order of an index.
{{if and .ByFeedback .After -}}
CALL () { // the rest of the rank that the last page ended in, and the ranks below
  {{template "in_order" .InRank}}
  RETURN e ORDER BY {{.Sort}} LIMIT $limit
  UNION ALL
  {{template "in_order" .BelowRank}}
  RETURN e ORDER BY {{.Sort}} LIMIT $limit
}
{{- else}}{{template "in_order" .}}{{end}}
WITH e ORDER BY {{.Sort}} LIMIT $limit
RETURN {{template "episode" .}}
ORDER BY {{.Sort}}

// name: count_episodes
{{template "in_order" .}}
RETURN count(e) AS n

// part: in_order
// Matches episodes e so that an index gives them in the order asked for. What lies before the page is
// excluded by CASE, because an OR makes the planner join two indexes and sort.
MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
WHERE e.tenant = $tenant
{{- with .Fixed}} AND e.{{.}} = ${{.}}{{end}}
{{- if .SameRank}} AND e.feedbackRank = $afterRank AND e.startedAt <= $afterAt
{{- else if .LowerRank}} AND e.feedbackRank < $afterRank
{{- else if .ByFeedback}} AND e.feedbackRank <= $bestRank{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
  {{template "filter" .}}
{{- if and .After (not .LowerRank)}}
  AND CASE e.startedAt WHEN $afterAt THEN e.key > $afterKey ELSE true END{{end}}

// part: filter
// What an episode e must meet, after its tenant and its time. Conditions that are not set are null, which
// keeps the texts of queries few and their plans in the cache; those that need other nodes are left out, because
// they cost much to plan. With an instant ($asOf) what was known then counts.
AND ($agent IS NULL OR e.agent = $agent)
AND ($session IS NULL OR e.session = $session)
AND ($taskType IS NULL OR e.taskType = $taskType)
AND {{template "of_asked" .}}
AND ($outcomes IS NULL OR e.outcome IN $outcomes)
{{- if .AsOf}}
AND e.knownAt <= $asOf{{end}}
{{- if .ByScore}}
AND any(score IN {{template "feedback_score" .}} WHERE score >= coalesce($minFeedback, -1) AND score <= coalesce($maxFeedback, 1))
{{- end}}
{{- if .ByCanvas}}
AND EXISTS {
  MATCH (e)-[:PRESENTED]->(c:Canvas)
  WHERE ($canvasType IS NULL OR c.canvasType = $canvasType)
  {{- if .AsOf}} AND c.createdAt <= $asOf
    AND ($canvasAction IS NULL OR c.actionKinds IS :: LIST<ANY> NOT NULL AND c.actionTimes IS :: LIST<ANY> NOT NULL AND any(i IN range(0, size(c.actionKinds) - 1) WHERE c.actionKinds[i] = $canvasAction AND c.actionTimes[i] <= $asOf))
  {{- else}} AND ($canvasAction IS NULL OR $canvasAction IN CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END){{end}}
}
{{- end}}

// part: of_asked
// Whether an episode e is of the user who is asked for.
($user IS NULL OR e.user = $user OR $shared AND e.user IS NULL)

// part: feedback_score
// A list of the aggregate score of an episode e, which is no number where it has no feedback.
{{if .AsOf -}}
[s IN [{{template "scores" "e"}}] | reduce(sum = 0.0, x IN s | sum + x) / toFloat(size(s))]
{{- else -}}
[e.aggregateFeedbackScore]
{{- end}}

// name: linked
// The episodes that others are linked to. A page of causes or effects is read as an index has them in
// order, however many there are.
UNWIND $keys AS key
MATCH (from:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE from.knownAt <= $asOf{{end}}
{{- if .Near}}
WITH from, 'episode:' + from.key AS id
CALL (id) {
  MATCH {{if eq .Near "from"}}()-[r:{{.Link}}]->(e:Episode){{else}}()<-[r:{{.Link}}]-(e:Episode){{end}} USING INDEX SEEK r:{{.Link}}(tenant, {{.Near}}, {{.Far}})
  WHERE r.tenant = $tenant AND r.{{.Near}} = id AND r.{{.Far}} > $after{{if .AsOf}} AND e.knownAt <= $asOf{{end}} AND {{template "of_asked" .}}
  RETURN e ORDER BY r.tenant, r.{{.Near}}, r.{{.Far}} LIMIT $limit
}
{{- else if eq .Link "previous"}}
CALL (from) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt <= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key < from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}} AND {{template "of_asked" .}}
  RETURN e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT 1
}
{{- else}}
CALL (from) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = from.session AND e.startedAt >= from.startedAt AND e.key IS NOT NULL
    AND CASE e.startedAt WHEN from.startedAt THEN e.key > from.key ELSE true END{{if .AsOf}} AND e.knownAt <= $asOf{{end}} AND {{template "of_asked" .}}
  RETURN e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
}
{{- end}}
RETURN from.key AS origin, {{template "episode" .}}

// name: count_linked
UNWIND $keys AS key
MATCH (from:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE from.knownAt <= $asOf{{end}}
RETURN from.key AS origin, COUNT { {{- if eq .Near "from"}} (from)-[:{{.Link}}]->({{else}} (from)<-[:{{.Link}}]-({{end}}{{if .Reads}}e:Episode WHERE {{template "of_asked" .}}{{if .AsOf}} AND e.knownAt <= $asOf{{end}}{{end}}) } AS count

// part: to_rank
// What the ranking needs to know of an episode e, and of the episodes that it informed.
e {.key, .startedAt, .outcome, .leftOut, .taskType, about: left(toStringOrNull(e.observation), $about), {{template "aggregates" .}},
  corrected: {{if not .AsOf}}e.feedbackCount > 0 AND {{end}}EXISTS { MATCH (e)-[:RECEIVED]->(f) WITH f LIMIT 100 WHERE {{template "corrects"}} AND {{template "feedback_counts" .}} },
  informed: [(e)<-[:INFORMED_BY]-(o){{if .AsOf}} WHERE o.knownAt <= $asOf{{end}} | [o.outcome, {{if .AsOf}}{scores: {{template "scores" "o"}}}{{else}}o.aggregates{{end}}]]} AS ranked

// name: newest
// The newest episodes that pass, of a bounded number.
MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
WHERE e.tenant = $tenant{{with .Fixed}} AND e.{{.}} = ${{.}}{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
WITH e ORDER BY {{.Sort}} LIMIT $look
WITH e WHERE true {{template "filter" .}}
WITH e LIMIT $limit
RETURN {{template "to_rank" .}}

// name: trajectories
// The steps of episodes, where their logs tell of them, and what came of some.
UNWIND $of AS of
MATCH (e:Episode {tenant: $tenant, key: of.episode})
WHERE (e.actionNames IS NULL OR e.actionNames IS :: LIST<STRING NOT NULL> NOT NULL)
RETURN e.key AS key, e.outcome AS outcome, e.aggregates AS aggregates, e.actionNames AS steps,
  [i IN of.results | CASE WHEN e.actionResults IS :: LIST<STRING NOT NULL> NOT NULL AND size(e.actionResults[i]) <= $long THEN e.actionResults[i] ELSE '' END] AS results,
  CASE WHEN e.eventTypes IS :: LIST<STRING NOT NULL> NOT NULL THEN [i IN range(0, size(e.eventTypes[..$most]) - 1) WHERE e.eventTypes[i] = $step | i] ELSE COLLECT {
    MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
    WHERE v.tenant = $tenant AND v.episode = of.episode AND v.sequence >= 0
    WITH v ORDER BY v.tenant, v.episode, v.sequence LIMIT $most
    WITH v WHERE v.type = $step
    RETURN v.sequence
  } END AS logged
