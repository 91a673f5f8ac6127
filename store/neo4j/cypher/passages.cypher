// Passages: the pieces of records' texts that are found by words and by meaning, linked by HAS_PASSAGE. Each write of some leaves a
// PassageChange with the ids of their records' nodes, by which every server keeps its vectors in memory up to date.

// part: keep_passages
// Writes the passages of new records.
UNWIND $passages AS said
MATCH (n:{{.}} {tenant: $tenant, key: said.key})
SET n.leftOut = said.leftOut
FOREACH (row IN said.rows | CREATE (n)-[:HAS_PASSAGE]->(p:Passage) SET p = row)
WITH collect(id(n)) AS changed WHERE size(changed) > 0
CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})

// part: retold
// Writes anew the passages of a record n: row.told has them by their texts. Those of its log stay, after the others, where row.log says so.
CALL (n, row) {
  OPTIONAL MATCH (n)-[:HAS_PASSAGE]->(p)
  WITH n, row, p, row.told[toStringOrNull(p.text)] AS is ORDER BY p.number
  WITH n, row, collect(CASE WHEN is IS NOT NULL THEN p END) AS same, collect(CASE WHEN is IS NULL THEN p END) AS others
  WITH n, row, same, others, [p IN others WHERE row.log AND p.part = 'EVENT'] AS logged, row.most - size(keys(row.told)) AS room
  WITH n, row, same, others, logged, CASE WHEN size(logged) > room THEN logged[..room / 2] + logged[size(logged) - (room + 1) / 2 ..] ELSE logged END AS kept
  FOREACH (p IN [p IN others WHERE NOT p IN kept] | DETACH DELETE p)
  FOREACH (i IN range(0, size(kept) - 1) | FOREACH (p IN [kept[i]] | SET p.number = size(keys(row.told)) + i, p.owner = row.owner))
  FOREACH (p IN same | SET p += row.told[toStringOrNull(p.text)] SET p.due = CASE WHEN p.code IS NULL OR p.embedded IS NULL THEN p.due END)
  SET n.leftOut = CASE WHEN row.log THEN nullIf({{template "countable" "n.leftOut"}} + size(logged) - size(kept), 0) ELSE row.leftOut END
  WITH n, row, [p IN same | p.text] AS known
  FOREACH (text IN [text IN keys(row.told) WHERE NOT text IN known] | CREATE (n)-[:HAS_PASSAGE]->(p:Passage) SET p = row.told[text])
  CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: [id(n)]})
}

// name: retell
// Writes anew the passages of records that are locked.
UNWIND $rows AS row
MATCH (n:{{.}} {tenant: $tenant, key: row.key})
{{template "retold"}}

// part: add_passages
// Adds to the passages of an episode e those of a part of its log that say something new. Of more than it may have the first and the
// last stay, with a gap in their numbers.
CALL (e) {
  OPTIONAL MATCH (e)-[:HAS_PASSAGE]->(p)
  WITH e, p ORDER BY p.number
  WITH e, collect(p) AS old, collect(p.text) AS known, $most / 2 AS half
  WITH e, old, half, [row IN $passages WHERE NOT row.text IN known] AS fresh, size(old) + {{template "countable" "e.leftOut"}} AS next
  WITH e, old, half, fresh, next, CASE WHEN size(old) + size(fresh) > $most THEN size(old) + size(fresh) - $most ELSE 0 END AS over
  FOREACH (p IN old[half..half + over] | DETACH DELETE p)
  FOREACH (i IN range(0, size(fresh) - 1) |
    FOREACH (row IN CASE WHEN size(old) + i >= half AND size(old) + i < half + over THEN [] ELSE [fresh[i]] END |
      CREATE (e)-[:HAS_PASSAGE]->(p:Passage) SET p = row, p.number = next + i))
  SET e.leftOut = nullIf({{template "countable" "e.leftOut"}} + over, 0)
  WITH e WHERE size(fresh) > 0
  CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: [id(e)]})
}

// part: drop_passages
// Deletes the passages of records in a list that go.
CALL ({{.}}) {
  UNWIND {{.}} AS n
  MATCH (n)-[:HAS_PASSAGE]->(p)
  WITH collect(DISTINCT id(n)) AS changed, collect(p) AS passages WHERE size(passages) > 0
  FOREACH (p IN passages | DETACH DELETE p)
  CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})
}

// name: passages_by_words
// The best by words of those that the index finds, as many as pass.
CALL db.index.fulltext.queryNodes('mneme_passages', $query, {limit: $look}) YIELD node AS p, score
WITH p, score WHERE p.tenant = $tenant
MATCH (e)-[:HAS_PASSAGE]->(p)
WHERE {{template "passes" .}}
WITH e, p, score LIMIT $limit
RETURN {{template "passage"}}
ORDER BY score DESC

// name: passages_by_id
// Those of some passages that pass, in the order of the ids. No label and no tenant before they are found, or the planner looks through all.
UNWIND range(0, size($ids) - 1) AS i
CALL (i) {
  MATCH (p) WHERE id(p) = $ids[i]
  RETURN p
}
WITH i, p WHERE p:Passage AND p.tenant = $tenant
MATCH (e)-[:HAS_PASSAGE]->(p)
WHERE {{template "passes" .}}
WITH i, e, p LIMIT $limit
RETURN {{template "passage"}}
ORDER BY i

// part: passes
// Whether a record e may be found by its passages.
(NOT e:Episode OR e.startedAt >= $since AND e.startedAt <= $until {{template "filter" .}})
AND ($memoir IS NULL OR e.memoir = $memoir) AND all(label IN $labels WHERE label IN e.labels)
AND ($topic IS NULL OR e.topic = $topic) AND ($turnsOf IS NULL OR e.session = $turnsOf)
AND ($user IS NULL OR {{template "is_of_user" "e"}})
{{- with .Weight}}
AND {{.}} >= $minWeight{{end}}

// part: is_of_user
// Whether a record is of a user, or may be of nobody. Of what people were shown and said its episode tells where nobody said.
any(u IN [coalesce({{.}}.user, head([(o)-[:PRESENTED|RECEIVED]->({{.}}) | o.user]))] WHERE u = $user OR $shared AND u IS NULL AND NOT coalesce({{.}}.waiting, false))

// part: passage
// A passage p of a record e.
id(p) AS id, head(labels(e)) AS label, e.key AS key, CASE WHEN e:Observation THEN e.session END AS session, CASE p.number WHEN 0 THEN e[$embedding] END AS embedding,
p {.number, .part, .position, .step, .at, .text, .code, .embedding} AS passage

// name: passages_beside
// What stands around passages in their records, and around observations in their sessions.
UNWIND $of AS of
CALL (of) {
  MATCH (p) WHERE id(p) = of.id
  RETURN p
}
MATCH (o)-[:HAS_PASSAGE]->(p) WHERE p:Passage AND p.tenant = $tenant
WITH o, collect(of) AS around
CALL (o, around) {
  MATCH (o)-[:HAS_PASSAGE]->(p)
  WHERE NOT id(p) IN $ids AND any(of IN around WHERE p.number >= of.from AND p.number <= of.to)
  RETURN o AS e, p
  UNION
  CALL (o) {
    WITH o WHERE o:Observation
    MATCH (e:Observation) USING INDEX SEEK e:Observation(tenant, session, createdAt, key)
    WHERE e.tenant = $tenant AND e.session = o.session AND e.createdAt <= o.createdAt AND e.key IS NOT NULL
      AND CASE e.createdAt WHEN o.createdAt THEN e.key < o.key ELSE true END AND ($user IS NULL OR {{template "is_of_user" "e"}})
    RETURN e ORDER BY e.tenant DESC, e.session DESC, e.createdAt DESC, e.key DESC LIMIT $reach
    UNION ALL
    WITH o WHERE o:Observation
    MATCH (e:Observation) USING INDEX SEEK e:Observation(tenant, session, createdAt, key)
    WHERE e.tenant = $tenant AND e.session = o.session AND e.createdAt >= o.createdAt AND e.key IS NOT NULL
      AND CASE e.createdAt WHEN o.createdAt THEN e.key > o.key ELSE true END AND ($user IS NULL OR {{template "is_of_user" "e"}})
    RETURN e ORDER BY e.tenant, e.session, e.createdAt, e.key LIMIT $reach
  }
  MATCH (e)-[:HAS_PASSAGE]->(p) WHERE NOT id(p) IN $ids
  RETURN e, p
}
WITH DISTINCT e, p
RETURN {{template "passage"}}
ORDER BY e.key, p.number

// name: rarest
// The best passages by each word alone, and how many passages there are.
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  CALL db.index.fulltext.queryNodes('mneme_passages', $queries[i], {limit: 5}) YIELD node, score
  RETURN collect(node.words) AS words, collect(score) AS scores
}
WITH i, words, scores ORDER BY i
WITH collect({words: words, scores: scores}) AS found
CALL () {
  MATCH (p:Passage) RETURN count(p) AS passages
}
RETURN found, passages

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
// The vectors of the passages of the next records of a kind, those of the newest first where an index knows.
MATCH (n:{{.Label}}) USING INDEX SEEK n:{{.Label}}(tenant, {{with .At}}{{.}}, {{end}}key)
WHERE n.tenant = $tenant AND {{with .At}}n.{{.}} <= $until AND n.key IS NOT NULL AND CASE n.{{.}} WHEN $until THEN n.key > $after ELSE true END{{else}}n.key > $after{{end}}
WITH n ORDER BY n.tenant DESC, {{with .At}}n.{{.}} DESC, {{end}}n.key LIMIT $limit
RETURN {{with .At}}n.{{.}} AS at, {{end}}n.key AS key, {{template "vectors"}}

// name: changed_passages
// The same of records that changed, by the ids of their nodes.
UNWIND $nodes AS id
CALL (id) {
  MATCH (n) WHERE id(n) = id
  RETURN n
}
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
MATCH (p:Passage) USING INDEX SEEK p:Passage(tenant, due)
WHERE p.tenant = $tenant AND p.due = true
MATCH (n)-[:HAS_PASSAGE]->(p)

// name: count_due
{{template "due"}}
RETURN count(DISTINCT n) AS n

// name: due_passages
// What some of the passages say.
{{template "due"}}
RETURN id(p) AS id, p.text AS text LIMIT $limit

// name: mark_due
// Marks those passages of the next records of a kind as due that have no embedding of a length.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
CALL (n) {
  MATCH (n)-[:HAS_PASSAGE]->(p) WHERE {{template "lacking"}}
  SET p.due = true
}
RETURN max(n.key) AS last

// part: lacking
(p.embedded IS NULL OR $length > 0 AND p.embedded <> $length)

// name: code_passages
// Writes the vectors of passages that still are what they were, and says of how many records.
UNWIND $rows AS row
CALL (row) {
  MATCH (p) WHERE id(p) = row.id
  RETURN p
}
WITH p, row WHERE p:Passage AND p.tenant = $tenant AND p.due = true AND p.text = row.text
SET p += row.made, p.due = null
WITH p
MATCH (n)-[:HAS_PASSAGE]->(p)
WITH collect(DISTINCT id(n)) AS changed
FOREACH (once IN CASE size(changed) WHEN 0 THEN [] ELSE [1] END | CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed}))
RETURN size(changed) AS made
