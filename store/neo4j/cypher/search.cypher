// The search in all that has text, and the words under which its index finds records.

// name: search
// The best match of the kinds, and the best that pass the filters, which the index applies: what is looked at
// again are only those whose marks may stand for another value.
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $best, {limit: 1}) YIELD node AS n, score
  RETURN collect({score: score, texts: [text IN [n.name, n.description, n.content, n.title, n.observation, n.result,
    n.insight, n.corrections, n.comment, n.topic, n.prediction, n.correction, n.context] + coalesce(n.labels, []) WHERE text IS NOT NULL]}) AS best
}
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $text, {limit: $window}) YIELD node AS n, score
  WITH collect({n: n, score: score}) AS found
  RETURN size(found) AS looked, [row IN found WHERE row.n.tenant = $tenant
    AND ($memoir IS NULL OR row.n.memoir = $memoir)
    AND all(label IN $labels WHERE label IN row.n.labels)
    AND ($session IS NULL OR row.n.session = $session)
    AND ($topic IS NULL OR row.n.topic = $topic)] AS rows
}
RETURN head(best) AS best, looked, [row IN rows | head(labels(row.n))] AS labels, [row IN rows | row.n.key] AS keys,
  [row IN rows | toFloat(row.score)] AS scores

// name: said
// The next records of a kind, by key.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $page.after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN {{template "what_is_said"}}

// name: lock_said
// Locks records of a kind and tells what their words come from.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
RETURN {{template "what_is_said"}}

// part: what_is_said
// What the words of a record n come from, and its words.
n {.key, .words, .wordId, .name, .description, .content, .labels, .title, .observation, .result, .insight, .corrections, .comment, .topic,
   .prediction, .correction, .context, .memoir, .agent, .session, .taskType, .outcome, .startedAt,
   boostedRight: CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN coalesce(n.boosted = n.words, false) ELSE n.boosted IS NULL END} AS said

// name: write_words
// Gives records the words that they should have.
UNWIND $rows AS row
MATCH (n:{{.}} {tenant: $tenant, key: row.key})
SET n.words = row.words, n.wordId = row.wordId
{{- if eq . "Episode"}}
SET n.boosted = CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN n.words END{{end}}
