{{- /* The best match of the tenant, and the best of those that pass the filter. */ -}}
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_episode_text', $text{{if not .AsOf}}, {limit: 1}{{end}}) YIELD node AS e, score
  WITH e, score WHERE score > 0{{if .AsOf}} AND e.knownAt <= $asOf{{end}}
  LIMIT 1
  RETURN collect({score: score, texts: [e.title, e.observation, coalesce(e.result, ''), e.insight]}) AS best
}
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_episode_text', $text, $textOptions) YIELD node AS e, score
  WITH e, score WHERE score > 0 AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  LIMIT $limit
  RETURN collect([e, score]) AS matches
}
