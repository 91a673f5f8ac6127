// How records find one another in whatever order they come: what a write locks, which episode of a session a time
// belongs to, and what waits for what.

// name: lock
// Locks what a write decides upon and tells what is known of it. The kinds come in one order for every
// write, and the caller sorts the keys, so that writers seldom wait for one another in a circle.
// Last come the hashes of records with the keys of new ones.
CALL () {
  UNWIND $sessions AS key
  {{template "hold" "Session"}}
  {{template "let_go" .}}
  RETURN count(CASE WHEN gone THEN 1 END) AS sessionsGone
}
CALL () {
  UNWIND $people AS key
  {{template "hold" "Person"}}
  {{template "let_go" .}}
  RETURN count(CASE WHEN gone THEN 1 END) AS peopleGone
}
CALL () {
  UNWIND $executions AS key
  {{template "hold" "ExecutionID"}}
  {{template "let_go" .}}
  WITH key, gone
  OPTIONAL MATCH (e:Episode)-[:COVERS]->(:ExecutionID {tenant: $tenant, key: key})
  WITH key, gone, e ORDER BY e.startedAt DESC, e.key DESC
  RETURN collect([key, e.key]) AS executions, collect([e.key, {{template "user" "e"}}]) AS executionUsers, count(CASE WHEN gone THEN 1 END) AS executionsGone
}
CALL () {
  UNWIND $canvases AS key
  {{template "hold" "Canvas"}}
  {{template "let_go" .}}
  WITH n, known, gone
  OPTIONAL MATCH (e:Episode {tenant: $tenant, key: CASE WHEN known AND NOT gone THEN n.episode END})
  RETURN collect(CASE WHEN known AND NOT gone THEN n END) AS canvases, collect([e.key, {{template "user" "e"}}]) AS canvasUsers, count(CASE WHEN gone THEN 1 END) AS canvasesGone
}
CALL () {
  UNWIND $episodes AS key
  {{template "hold" "Episode"}}, n.startedAt AS startedAt, {{template "user" "n"}} AS user
  {{template "let_go" .}}
  WITH key, known, gone, startedAt, user
  RETURN collect([key, user]) AS episodeUsers, collect(CASE WHEN known THEN key END) AS episodes, collect(CASE WHEN known THEN [key, startedAt] END) AS starts, count(CASE WHEN gone THEN 1 END) AS episodesGone
}
CALL () {
  MATCH (n:Episode) WHERE n.tenant = $tenant AND n.key IN $newEpisodes
  RETURN collect([n.key, n.inputHash]) AS episodeHashes
}
CALL () {
  MATCH (n:Feedback) WHERE n.tenant = $tenant AND n.key IN $newFeedback
  RETURN collect([n.key, n.inputHash]) AS feedbackHashes
}
RETURN episodeHashes + feedbackHashes AS hashes, episodeUsers + executionUsers + canvasUsers AS users, executions, canvases, episodes, starts,
       sessionsGone + peopleGone + executionsGone + canvasesGone + episodesGone AS gone

// part: hold
// Locks the node of a key, there or not: MERGE makes a placeholder, which let_go deletes again, and its key stays locked
// until the transaction ends. What went away while we waited for its lock is gone.
MERGE (n:{{.}} {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone

// part: let_go
FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)

// part: user
// The user of a record; one that cannot be read is nobody else's.
CASE WHEN {{.}}.user IS :: STRING THEN {{.}}.user ELSE '\n' END

// name: lock_ends
// Locks records of any kind, there or not, as the statement lock does, and tells which are there: their
// ids, and the hashes of their inputs.
{{- range $kind := .}}
CALL () {
  UNWIND $keys.{{$kind}} AS key
  {{template "hold" (label $kind)}}, coalesce(n.inputHash, '') AS hash
  {{template "let_go" .}}
  WITH key, known, gone, hash
  RETURN collect(CASE WHEN known THEN ['{{$kind}}:' + key, hash] END) AS {{$kind}}Ends, count(CASE WHEN gone THEN 1 END) AS {{$kind}}Gone
}
{{- end}}
RETURN [] {{- range $kind := .}} + {{$kind}}Ends{{end}} AS ends, 0 {{- range $kind := .}} + {{$kind}}Gone{{end}} AS gone

// name: near
// The episodes of a session that a record of a time may belong to: those that hold it of the last started, the
// latest started at or before it, and the next with the last canvas that may be of it.
UNWIND $times AS time
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt <= time.at AND e.key IS NOT NULL AND {{template "of_users" .}}
  WITH e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT $window
  WITH e WHERE e.endedAt >= time.at
  RETURN collect(e {{template "span" .}}) AS holding
}
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt <= time.at AND e.key IS NOT NULL AND {{template "of_users" .}}
  WITH e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key DESC LIMIT 1
  WITH e.startedAt AS latest
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt = latest AND e.key IS NOT NULL AND {{template "of_users" .}}
  WITH e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
  RETURN collect(e {{template "span" .}}) AS started
}
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt > time.at AND e.key IS NOT NULL AND {{template "of_users" .}}
  WITH e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
  OPTIONAL CALL (time, e) {
    MATCH (c:Canvas) USING INDEX SEEK c:Canvas(tenant, session, createdAt, key)
    WHERE c.tenant = $tenant AND c.session = time.session AND c.createdAt <= time.at AND c.key IS NOT NULL AND (c.named IS NULL OR c.named = e.key)
      AND (time.users IS NULL OR c.user IS NULL OR c.user IN time.users)
    RETURN c.createdAt AS shown ORDER BY c.tenant DESC, c.session DESC, c.createdAt DESC, c.key DESC LIMIT 1
  }
  WITH e {{template "span" .}} AS span, shown
  RETURN collect(span {.*, shown: shown}) AS next
}
RETURN time.record AS record, holding + started + next AS episodes

// part: of_users
// Whether an episode e is of those to whom a record may belong.
(time.users IS NULL OR e.user IS NULL OR e.user IN time.users)

// part: span
// What the rule of sessions needs of an episode.
{ .key, .user, .startedAt, .endedAt, .createdAt, .concluded, .concludedLater }

// name: sessions
UNWIND $keys AS key
MATCH (s:Session {tenant: $tenant, key: key})
RETURN s AS n

// name: waiting_in_sessions
// What waits for an episode of its session, of all or of the given one, after the last that is known.
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind = 'session' AND w.key >= $session AND ($only IS NULL OR w.key = $only)
MATCH (w)<-[:WAITS_FOR]-(n)
WITH w, n, head(labels(n)) AS label
WHERE w.key > $session OR label + ' ' + n.key > $id
RETURN w.kind AS kind, w.key AS awaited, label, n.key AS key, n.createdAt AS at, n.user AS user, null AS episode
ORDER BY w.key, label + ' ' + n.key LIMIT $most

// name: drop_idle
// Removes the sessions, or people, that nothing is linked to any more, with what is said about them.
UNWIND $keys AS key
MATCH (n:{{.Label}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE NOT EXISTS { (n)<-[:{{.Link}}]-() }
DETACH DELETE n

// name: link_named
// Ties records to those that they name, for which they may have been waiting.
UNWIND $rows AS row
MATCH (n:{{label .Kind}} {tenant: $tenant, key: row.key})
MATCH (target:{{label .Target}} {tenant: $tenant, key: row.target})
OPTIONAL MATCH (n)-[wait:WAITS_FOR]->(:Waiting {tenant: $tenant, kind: '{{.Awaited}}', key: row.target})
DELETE wait
{{- if eq .Type "ON"}}
SET n.canvas = target.key{{end}}
CREATE (n)-[:{{.Type}} {tenant: $tenant, from: '{{.Kind}}:' + n.key, to: '{{.Target}}:' + target.key}]->(target)

// name: wait
// Lets records wait for others that are not there.
{{- range .}}
CALL () {
  UNWIND $waits.{{.}} AS row
  MATCH (n:{{label .}} {tenant: $tenant, key: row.key})
  MERGE (w:Waiting {tenant: $tenant, kind: row.kind, key: row.awaited})
  SET w.tenant = w.tenant
  CREATE (n)-[:WAITS_FOR]->(w)
}
{{- end}}

// name: waiting
// What waits for the given records, or in the given sessions.
UNWIND $awaited AS awaited
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind = awaited.kind AND w.key = awaited.key
MATCH (w)<-[:WAITS_FOR]-(n)
RETURN awaited.kind AS kind, awaited.key AS awaited, head(labels(n)) AS label, n.key AS key, n.createdAt AS at, n.user AS user

// name: arrivals
// What waits for records that arrived, and what names their sessions only and came in an interval of time, with the episode
// that it has.
CALL () {
  {{template "waiting" .}}, null AS episode
  UNION ALL
  UNWIND $intervals AS s
  CALL (s) {
    CALL (s) {
      MATCH (n:Canvas) USING INDEX SEEK n:Canvas(tenant, session, createdAt, key)
      WHERE n.tenant = $tenant AND n.session = s.session AND n.createdAt >= s.from AND n.createdAt < s.until AND n.key IS NOT NULL AND n.named IS NULL
      RETURN 'Canvas' AS label, n
      ORDER BY n.tenant, n.session, n.createdAt, n.key LIMIT $most
      UNION ALL
      MATCH (n:Feedback) USING INDEX SEEK n:Feedback(tenant, session, createdAt, key)
      WHERE n.tenant = $tenant AND n.session = s.session AND n.createdAt >= s.from AND n.createdAt < s.until AND n.key IS NOT NULL AND n.way = 'session'
      RETURN 'Feedback' AS label, n
      ORDER BY n.tenant, n.session, n.createdAt, n.key LIMIT $most
    }
    RETURN label, n // of both together the earliest
    ORDER BY n.createdAt, label, n.key LIMIT $most
  }
  OPTIONAL MATCH (e:Episode {tenant: $tenant, key: n.episode})
  RETURN 'session' AS kind, s.session AS awaited, label, n.key AS key, n.createdAt AS at, coalesce(n.user, e.user) AS user, n.episode AS episode
}
RETURN kind, awaited, label, key, at, user, episode

// name: drop_waiting
// Removes what nobody waits for any more.
UNWIND $awaited AS awaited
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind = awaited.kind AND w.key = awaited.key
SET w.tenant = w.tenant
WITH w WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
DELETE w
