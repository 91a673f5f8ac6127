// Passages: the pieces of records' texts that are found by words and by meaning, linked by HAS_PASSAGE. Each write of some leaves a
// PassageChange with the ids of their records' nodes, by which every server keeps its vectors in memory up to date.

// part: keep_passages
// Writes passages of records.
UNWIND $passages AS said
MATCH (n:{{.}} {tenant: $tenant, key: said.key})
SET n.leftOut = said.leftOut
FOREACH (row IN said.rows | CREATE (n)-[:HAS_PASSAGE]->(p:Passage) SET p = row)
WITH collect(id(n)) AS changed WHERE size(changed) > 0
{{template "note_changed"}}

// part: note_changed
CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})

// part: by_id
// A node by its id: apart from all else, or the planner looks through all nodes.
CALL (id) { MATCH ({{.}}) WHERE id({{.}}) = id RETURN {{.}} }

// part: kept
// The passages of a record, of which is decided what becomes of them.
COLLECT { MATCH ({{.}})-[:HAS_PASSAGE]->(p) RETURN p {id: id(p), .number, .part, .position, .step, .at, .text, .owner, .code} ORDER BY p.number }

// name: change_passages
// Applies what becomes of the passages of a record that is locked.
CALL () {
  UNWIND $gone AS id
  {{template "by_id" "p"}}
  DETACH DELETE p
}
CALL () {
  UNWIND $moved AS moved
  WITH moved, moved.id AS id
  {{template "by_id" "p"}}
  SET p.number = moved.number
}
{{template "keep_passages" .}}

// part: drop_passages
// Deletes the passages of records in a list that go.
CALL ({{.}}) {
  UNWIND {{.}} AS n
  MATCH (n)-[:HAS_PASSAGE]->(p)
  DETACH DELETE p
  WITH collect(DISTINCT id(n)) AS changed WHERE size(changed) > 0
  {{template "note_changed"}}
}

// name: passages_by_words
// The best by words of those that the index finds, as many as pass.
CALL db.index.fulltext.queryNodes('mneme_passages', $query, {limit: $look}) YIELD node AS p, score
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE p.tenant = $tenant{{template "passes" .}}
WITH e, p, score LIMIT $limit
RETURN {{template "passage"}}
ORDER BY score DESC

// name: passages_by_id
// Those of some passages that pass, as many as are wanted, in the order of the ids.
UNWIND $ids AS id
{{template "by_id" "p"}}
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE p.tenant = $tenant{{template "passes" .}}
RETURN {{template "passage"}} LIMIT $limit

// part: passes
// Whether a record e is what is asked for. Neo4j takes long to plan conditions: there are none where none is asked for.
{{if .Episodes}} AND (NOT e:Episode OR e.startedAt >= $since AND e.startedAt <= $until {{template "filter" .}}){{end}}
{{- if .Others}} AND {{if .OfFeedback}}{{template "is_of_user" "e"}}{{else}}{{template "of_asked"}}{{end}} AND ($topic IS NULL OR e.topic = $topic)
AND ($memoir IS NULL OR e.memoir = $memoir) AND ($turnsOf IS NULL OR e.session = $turnsOf) AND all(label IN $labels WHERE label IN e.labels){{end}}
{{- with .Weight}} AND {{.}} >= $minWeight{{end}}

// part: is_of_user
// Whether a record is of a user, or may be of nobody. Of what people were shown and said its episode tells where nobody said.
any(u IN [coalesce({{.}}.user, head([(o)-[:PRESENTED|RECEIVED]->({{.}}) | o.user]))] WHERE u = $user OR $shared AND u IS NULL AND NOT coalesce({{.}}.waiting, false))

// part: passage
// A passage p of a record e.
id(p) AS id, head(labels(e)) AS label, e.key AS key, CASE WHEN e:Observation THEN e.session END AS session, CASE p.number WHEN 0 THEN e[$embedding] END AS embedding,
p {.number, .part, .position, .step, .at, .text, .code, .embedding} AS passage

// name: passages_beside
// The passages of observations and of those around them in their sessions.
UNWIND $of AS o
CALL (o) {
  MATCH (e:Observation) USING INDEX SEEK e:Observation(tenant, session, createdAt, key)
  WHERE e.tenant = $tenant AND e.session = o.session AND e.createdAt <= o.at AND e.key IS NOT NULL
    AND CASE e.createdAt WHEN o.at THEN e.key <= o.key ELSE true END AND {{template "of_asked"}}
  RETURN e ORDER BY e.tenant DESC, e.session DESC, e.createdAt DESC, e.key DESC LIMIT $reach + 1
  UNION ALL
  MATCH (e:Observation) USING INDEX SEEK e:Observation(tenant, session, createdAt, key)
  WHERE e.tenant = $tenant AND e.session = o.session AND e.createdAt >= o.at AND e.key IS NOT NULL
    AND CASE e.createdAt WHEN o.at THEN e.key > o.key ELSE true END AND {{template "of_asked"}}
  RETURN e ORDER BY e.tenant, e.session, e.createdAt, e.key LIMIT $reach
}
WITH DISTINCT e
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE NOT id(p) IN $ids
RETURN {{template "passage"}}
ORDER BY e.key, p.number

// name: rarest
// The best passages by each word alone, and how many passages there are.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  CALL db.index.fulltext.queryNodes('mneme_passages', $queries[i], {limit: 5}) YIELD node, score
  RETURN collect(node.words) AS words, collect(score) AS scores
}
RETURN i, words, scores, COUNT { (:Passage) } AS passages

// name: episodes_to_rank
// What the ranking needs to know of those of some episodes that pass.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
WHERE e.startedAt >= $since AND e.startedAt <= $until {{template "filter" .}}
RETURN {{template "to_rank" .}}

// name: informed
// What became of the episodes that some informed.
UNWIND $keys AS key
MATCH (:Episode {tenant: $tenant, key: key})<-[:INFORMED_BY]-(e:Episode){{if .AsOf}} WHERE e.knownAt <= $asOf{{end}}
RETURN key, e.outcome AS outcome, e { {{template "aggregates" .}} }.aggregates AS aggregates

// part: to_rank
e.key AS key, e.startedAt AS startedAt, e.outcome AS outcome, e.leftOut AS leftOut, e.taskType AS taskType, left(toStringOrNull(e.observation), $about) AS about, e { {{template "aggregates" .}} }.aggregates AS aggregates,
  {{if not .AsOf}}e.feedbackCount > 0 AND {{end}}EXISTS { MATCH (e)-[:RECEIVED]->(f:Feedback) WITH f LIMIT 100 WHERE f.score <= 0 AND f.corrections <> '' AND {{template "feedback_counts" .}} } AS corrected

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

// name: passages_to_compare
// The vectors of the passages of the next records of a kind: backwards by key, as keys that mneme makes begin with a time.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key < $before
WITH n ORDER BY n.tenant DESC, n.key DESC LIMIT $limit
RETURN n.key AS key, {{template "vectors"}}

// name: changed_passages
// The same of records that changed, by the ids of their nodes.
UNWIND $nodes AS id
{{template "by_id" "n"}}
WITH n WHERE n.tenant = $tenant
RETURN {{template "vectors"}}

// part: vectors
id(n) AS node, n[$embedding] AS embedding, COLLECT { MATCH (n)-[:HAS_PASSAGE]->(p) RETURN [id(p), p.number, p.owner, p.code, p.embedding] } AS passages

// name: passage_changes
// What was written since an instant, and what time it is.
OPTIONAL MATCH (c:PassageChange) USING INDEX SEEK c:PassageChange(tenant, at)
WHERE c.tenant = $tenant AND c.at >= $since
RETURN timestamp() AS now, collect([id(c), c.at, c.nodes]) AS changes

// name: trim_passage_changes
MATCH (c:PassageChange) USING INDEX SEEK c:PassageChange(tenant, at)
WHERE c.tenant = $tenant AND c.at < $before
WITH c LIMIT 10000
DELETE c

// part: due
// The records n with passages whose vectors are due.
MATCH (n)-[:HAS_PASSAGE]->(p:Passage {tenant: $tenant, due: true}) USING INDEX SEEK p:Passage(tenant, due)

// name: count_due
{{template "due"}}
RETURN count(DISTINCT n) AS n

// name: due_passages
// What some of these passages say.
{{template "due"}}
RETURN id(p) AS id, p.text AS text LIMIT $limit

// name: mark_due
// Marks those passages of the records of a kind as due that have no embedding of a length.
MATCH (n:{{.}} {tenant: $tenant})-[:HAS_PASSAGE]->(p) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.key IS NOT NULL AND {{template "lacking"}}
CALL (p) { SET p.due = true } IN TRANSACTIONS OF 10000 ROWS

// part: lacking
(p.embedded IS NULL OR $length > 0 AND p.embedded <> $length)

// name: code_passages
// Writes the vectors of passages that still are what they were, and says of how many records.
UNWIND $rows AS row
WITH row, row.id AS id
{{template "by_id" "p"}}
WITH p, row WHERE p:Passage AND p.tenant = $tenant AND p.due = true AND p.text = row.text
SET p += row.made, p.due = null
WITH p
MATCH (n)-[:HAS_PASSAGE]->(p)
WITH collect(DISTINCT id(n)) AS changed
{{template "note_changed"}}
RETURN size(changed) AS made
