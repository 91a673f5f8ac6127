// What episodes showed and what people said of it: canvases and feedback.

// name: write_canvases
// Writes canvases, new and changed, and links them with the sessions that they join. Answers the parts of sessions in which
// a canvas that was there first shown at another time, or not at all, may change what feedback belongs to.
UNWIND $rows AS row
MERGE (c:Canvas {tenant: $tenant, key: row.key})
SET c += row.properties
SET c.waiting = c.episode IS NULL
FOREACH (key IN CASE WHEN row.joins IS NULL THEN [] ELSE [row.joins] END |
  MERGE (s:Session {tenant: $tenant, key: key})
  CREATE (c)-[:IN_SESSION {tenant: $tenant, from: 'canvas:' + c.key, to: 'session:' + key}]->(s))
WITH row, c WHERE row.was IS NOT NULL
OPTIONAL CALL (row, c) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = c.session AND e.startedAt > row.was AND e.key IS NOT NULL
    AND (c.user IS NULL OR e.user IS NULL OR e.user = c.user)
  RETURN e.startedAt AS next ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
}
WITH c, coalesce(next, row.was) AS until WHERE c.createdAt < until
RETURN c.session AS session, c.createdAt AS from, until

// name: link_canvases
// Gives canvases their episodes, or takes them away where the episode is null.
UNWIND $rows AS row
MATCH (c:Canvas {tenant: $tenant, key: row.key})
OPTIONAL MATCH (:Episode)-[shown:PRESENTED]->(c)
OPTIONAL MATCH (c)-[wait:WAITS_FOR]->(:Waiting)
DELETE shown, wait
WITH row, c
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.episode})
SET c.episode = e.key, c.agent = e.agent, c.waiting = e IS NULL
FOREACH (known IN CASE WHEN e IS NULL THEN [] ELSE [e] END |
  CREATE (known)-[:PRESENTED {tenant: $tenant, from: 'episode:' + known.key, to: 'canvas:' + c.key}]->(c))

// name: canvases
UNWIND $keys AS key
MATCH (n:Canvas {tenant: $tenant, key: key})
RETURN n

// name: create_feedback
// Creates feedback and tells what has been waiting for it and for its session.
{{template "notice"}}
CALL () {
  UNWIND $rows AS row
  CREATE (f:Feedback) SET f = row
  FOREACH (key IN CASE WHEN row.session IS NULL THEN [] ELSE [row.session] END |
    MERGE (s:Session {tenant: $tenant, key: key})
    CREATE (f)-[:IN_SESSION {tenant: $tenant, from: 'feedback:' + f.key, to: 'session:' + key}]->(s))
}
CALL () {
  {{template "keep_passages" "Feedback"}}
}
{{template "waiting" .}}

// name: link_feedback
// Gives feedback its episode, or takes it away where the episode is null. What it waits for stays where
// that is its canvas, which has a statement of its own.
UNWIND $rows AS row
MATCH (f:Feedback {tenant: $tenant, key: row.key})
OPTIONAL MATCH (:Episode)-[received:RECEIVED]->(f)
OPTIONAL MATCH (f)-[wait:WAITS_FOR]->(w:Waiting) WHERE w.kind <> 'canvas'
DELETE received, wait
WITH row, f
OPTIONAL MATCH (e:Episode {tenant: $tenant, key: row.episode})
SET f.episode = e.key, f.waiting = e IS NULL
FOREACH (known IN CASE WHEN e IS NULL THEN [] ELSE [e] END |
  CREATE (known)-[:RECEIVED {tenant: $tenant, from: 'episode:' + known.key, to: 'feedback:' + f.key}]->(f))

// name: await_canvases
// Lets the feedback on canvases wait for those again.
UNWIND $keys AS key
MATCH (:Canvas {tenant: $tenant, key: key})<-[on:ON]-(f:Feedback)
DELETE on
SET f.canvas = null
MERGE (w:Waiting {tenant: $tenant, kind: 'canvas', key: key})
CREATE (f)-[:WAITS_FOR]->(w)

// name: unname_canvases
// Lets feedback no longer name canvases.
UNWIND $keys AS key
MATCH (:Canvas {tenant: $tenant, key: key})<-[on:ON]-(f:Feedback)
DELETE on
SET f.canvas = null, f.namedCanvas = null

// name: followers
// Feedback that goes where its canvas goes.
UNWIND $canvases AS canvas
MATCH (f:Feedback) USING INDEX SEEK f:Feedback(tenant, canvas, createdAt, key)
WHERE f.tenant = $tenant AND f.canvas = canvas AND f.createdAt IS NOT NULL AND f.key IS NOT NULL AND f.way = 'canvas'
RETURN f.key AS key, f.canvas AS canvas, f.user AS user, f.episode AS episode, f.score AS score, f.way AS way, f.replacedAt IS NOT NULL AS ended

// name: feedback_links
// The links that feedback has, and locks it.
UNWIND $keys AS key
MATCH (f:Feedback {tenant: $tenant, key: key})
SET f.tenant = f.tenant
WITH f WHERE f.tenant IS NOT NULL // not deleted while we waited for the lock
RETURN f.key AS key, f.canvas AS canvas, f.user AS user, f.episode AS episode, f.score AS score, f.way AS way, f.replacedAt IS NOT NULL AS ended

// name: feedback_item
// A feedback, locked, with what it waits for.
MATCH (n:Feedback {tenant: $tenant, key: $key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
RETURN {{template "feedback_item_of" .}}

// part: feedback_item_of
// A feedback n with the keys of the episode and the canvas that it waits for.
n, head([(n)-[:WAITS_FOR]->(w:Waiting {kind: 'episode'}) | w.key]) AS episode, head([(n)-[:WAITS_FOR]->(w:Waiting {kind: 'canvas'}) | w.key]) AS canvas

// name: end_feedback
// Lets feedback count until an instant only, where it was not replaced so far.
UNWIND $rows AS row
MATCH (f:Feedback {tenant: $tenant, key: row.key})
SET f.tenant = f.tenant
WITH f, row WHERE f.replacedAt IS NULL
SET f.replacedAt = row.at
WITH collect(f) AS ended
{{template "drop_passages" "ended"}}
UNWIND ended AS f
RETURN f.key AS key, f.episode AS episode, f.score AS score

// name: feedback
UNWIND $keys AS key
MATCH (n:Feedback {tenant: $tenant, key: key})
RETURN n

// name: awaited_episodes
// The episodes that records of a label name and wait for.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})-[:WAITS_FOR]->(w:Waiting {kind: 'episode'})
USING INDEX SEEK n:{{.}}(tenant, key)
RETURN n.key AS record, w.key AS episode

// name: list_owned
// A page of records of a label, newest first: of the owners that a property names, each a stretch of one index.
UNWIND $owner AS owner
CALL (owner) {
  MATCH (n:{{.Label}}) USING INDEX SEEK n:{{.Label}}(tenant, {{.Fixed}}, createdAt, key)
  WHERE n.tenant = $tenant AND n.{{.Fixed}} = owner AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if eq .Label "Feedback"}} AND CASE WHEN n.replacedAt IS NULL THEN true ELSE n.replacedAt > $asOf END{{end}}
{{- if .ByUser}} AND {{template "is_of_user" "n"}}{{end}}
{{- if .After}}
    AND CASE n.createdAt WHEN $until THEN n.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
  RETURN count(n) AS part
}
RETURN sum(part) AS n
{{- else}}
  RETURN n ORDER BY n.tenant DESC, n.{{.Fixed}} DESC, n.createdAt DESC, n.key LIMIT $limit
}
RETURN n
ORDER BY n.createdAt DESC, n.key LIMIT $limit
{{- end}}

// part: is_of_user
// Whether a record is of a user, or may be of nobody. Of what people were shown and said its episode tells where nobody said.
any(u IN [coalesce({{.}}.user, head([(o)-[:PRESENTED|RECEIVED]->({{.}}) | o.user]))] WHERE u = $user OR $shared AND u IS NULL AND NOT coalesce({{.}}.waiting, false))

// part: corrects
// Whether feedback f puts an episode right without praise.
f.score <= 0 AND f.corrections <> ''
