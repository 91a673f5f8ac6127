{{- /* The best match of the kinds, and the best that pass the filters. */ -}}
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_text', $text, {limit: 1}) YIELD node AS n, score
  WITH n, score WHERE score > 0
  RETURN collect({score: score, texts: [text IN [n.name, n.description, n.content, n.title, n.observation, n.result,
    n.insight, n.corrections, n.topic, n.prediction, n.correction, n.context] + coalesce(n.labels, []) WHERE text IS NOT NULL]}) AS best
}
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_text', $text, $options) YIELD node AS n, score
  WITH n, score WHERE score > 0
{{- if .Memoir}} AND n:Concept AND n.memoir = $memoir{{end}}
{{- if .Labels}} AND n:Concept AND all(label IN $labels WHERE label IN n.labels){{end}}
{{- if .Session}} AND n:Observation AND n.session = $session{{end}}
{{- if .Topic}} AND n:Correction AND n.topic = $topic{{end}}
  LIMIT $window
  RETURN collect(head(labels(n))) AS labels, collect(n.key) AS keys, collect(toFloat(score)) AS scores
}
RETURN head(best) AS best, labels, keys, scores
