// The best match of the kinds, and the best that pass the filters, which the index applies: what is looked at
// again are only those whose marks may stand for another value.
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $best, {limit: 1}) YIELD node AS n, score
  RETURN collect({score: score, texts: [text IN [n.name, n.description, n.content, n.title, n.observation, n.result,
    n.insight, n.corrections, n.topic, n.prediction, n.correction, n.context] + coalesce(n.labels, []) WHERE text IS NOT NULL]}) AS best
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
