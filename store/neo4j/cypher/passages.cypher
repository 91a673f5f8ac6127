// Passages: the pieces of records' texts that are found by words and by meaning, linked by HAS_PASSAGE. Each write of some leaves a
// PassageChange with the ids of their records' nodes, by which every server keeps its vectors in memory up to date.
// Nodes are matched by their ids apart from all else, or the planner looks through all there are.

// part: keep_passages
// Writes passages of records.
UNWIND $passages AS said
MATCH (n:{{.}} {tenant: $tenant, key: said.key})
SET n.leftOut = said.leftOut
FOREACH (row IN said.rows | CREATE (n)-[:HAS_PASSAGE]->(p:Passage) SET p = row)
WITH collect(id(n)) AS changed WHERE size(changed) > 0
CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})

// part: kept
// The passages of a record, of which is decided what becomes of them.
COLLECT { MATCH ({{.}})-[:HAS_PASSAGE]->(p) RETURN p {id: id(p), .number, .part, .position, .step, .at, .text, .owner, code: p.code IS NOT NULL} ORDER BY p.number }

// name: change_passages
// Applies what becomes of the passages of a record that is locked.
CALL () {
  UNWIND $gone AS id
  CALL (id) { MATCH (p) WHERE id(p) = id RETURN p } DETACH DELETE p
}
CALL () {
  UNWIND $moved AS moved
  CALL (moved) { MATCH (p) WHERE id(p) = moved.id RETURN p }
  SET p += moved.row
}
{{template "keep_passages" .}}

// part: drop_passages
// Deletes the passages of records in a list that go.
CALL ({{.}}) {
  UNWIND {{.}} AS n
  MATCH (n)-[:HAS_PASSAGE]->(p)
  DETACH DELETE p
  WITH collect(DISTINCT id(n)) AS changed WHERE size(changed) > 0
  CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})
}

// name: passages_by_words
// The best by words of those that the index finds, as many as pass.
CALL db.index.fulltext.queryNodes('mneme_passages', $query, {limit: $look}) YIELD node AS p, score
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE p.tenant = $tenant{{template "passes" .}}
WITH e, p, score LIMIT $limit
{{template "by_record" .}}

// name: passages_by_id
// Those of some passages that pass, as many as are wanted, in the order of the ids.
UNWIND range(0, size($ids) - 1) AS n
CALL (n) { MATCH (p) WHERE id(p) = $ids[n] RETURN p }
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE p.tenant = $tenant{{template "passes" .}}
WITH e, p, -toFloat(n) AS score LIMIT $limit
{{template "by_record" .}}

// part: passes
// Whether a record e is what is asked for. Neo4j takes long to plan conditions, and much longer outside of CASE: there
// are none where none is asked for.
{{if .Episodes}} AND CASE WHEN e:Episode THEN e.startedAt >= $since AND e.startedAt <= $until
{{- if .Filtered}} {{template "filter" .}}{{else}} AND e.knownAt <= $asOf{{end}} ELSE true END{{end}}
{{- if .Others}} AND {{if .OfFeedback}}{{template "is_of_user" "e"}}{{else}}{{template "of_asked"}}{{end}} AND ($topic IS NULL OR e.topic = $topic)
AND ($memoir IS NULL OR e.memoir = $memoir) AND ($turnsOf IS NULL OR e.session = $turnsOf) AND all(label IN $labels WHERE label IN e.labels){{end}}
{{- with .Weight}} AND {{.}} >= $minWeight{{end}}

// part: by_record
// Passages p with a score, by their records e.
WITH e, collect(p {id: id(p), .number, .part, .position, .step, .at, .text, .words, .code, .embedding, given: CASE p.number WHEN 0 THEN e[$embedding] END, score}) AS passages
RETURN id(e) AS record, head(labels(e)) AS label, e.key AS key, e.session AS session, passages{{if .ToRank}}, {{template "to_rank" .}}{{end}}

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
MATCH (e)-[:HAS_PASSAGE]->(p) WHERE NOT id(p) IN $ids WITH e, p, 0.0 AS score
{{template "by_record" .}}

// name: passages_to_compare
// The vectors of the passages of the next records of a kind: backwards by key, as keys that mneme makes begin with a time.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key < $before
WITH n ORDER BY n.tenant DESC, n.key DESC LIMIT $limit
RETURN n.key AS key, {{template "vectors"}}

// name: changed_passages
// The same of records that changed, by the ids of their nodes.
UNWIND $nodes AS id
CALL (id) { MATCH (n) WHERE id(n) = id RETURN n }
WITH n WHERE n.tenant = $tenant
RETURN {{template "vectors"}}

// part: vectors
id(n) AS node, n[$embedding] AS embedding, COLLECT { MATCH (n)-[:HAS_PASSAGE]->(p) RETURN [id(p), p.number, p.owner, p.code, p.embedding, p.words] } AS passages

// name: passage_changes
// What was written since an instant, and what time it is.
OPTIONAL MATCH (c:PassageChange) USING INDEX SEEK c:PassageChange(tenant, at)
WHERE c.tenant = $tenant AND c.at >= $since
RETURN timestamp() AS now, collect([id(c), c.at, c.nodes]) AS changes

// name: trim_passage_changes
MATCH (c:PassageChange) USING INDEX SEEK c:PassageChange(tenant, at) WHERE c.tenant = $tenant AND c.at < $before
WITH c LIMIT 10000 DELETE c

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
// Marks those passages of the next records of a kind as due that have no embedding of a length.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key) WHERE n.tenant = $tenant AND n.key > $after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
CALL (n) { MATCH (n)-[:HAS_PASSAGE]->(p) WHERE p.embedded IS NULL OR $length > 0 AND p.embedded <> $length SET p.due = true }
RETURN max(n.key) AS last

// name: code_passages
// Writes the vectors of passages that still are what they were, and says of how many records.
UNWIND $rows AS row
CALL (row) { MATCH (p) WHERE id(p) = row.id RETURN p }
MATCH (n)-[:HAS_PASSAGE]->(p) WHERE p.tenant = $tenant AND p.due = true AND p.text = row.text
SET p += row.made, p.due = null
WITH collect(DISTINCT id(n)) AS changed
CREATE (:PassageChange {tenant: $tenant, at: timestamp(), nodes: changed})
RETURN size(changed) AS made
