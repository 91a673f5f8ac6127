{{- /* The best match of the tenant, the best that pass the filter, and the newest that match. */ -}}
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
// Where those were all, the newest are among them. Else they are sought among the newest of all,
CALL (matches) {
  WITH matches WHERE size(matches) = $limit
  {{template "in_order.cypher" .}}
  WITH e ORDER BY {{.Sort}} LIMIT $window
  RETURN collect(e) AS window
}
CALL (window) {
  {{template "look_up.cypher" "window"}}
  ORDER BY e.startedAt DESC, e.key LIMIT $limit
  RETURN collect([e, score]) AS recent
}
// and where too few of those match, among all that match.
CALL (window, recent) {
  WITH window, recent WHERE size(window) = $window AND size(recent) < $limit
  CALL db.index.fulltext.queryNodes('mneme_episode_text', $text) YIELD node AS e, score
  WITH e, score WHERE score > 0 AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  ORDER BY e.startedAt DESC, e.key LIMIT $limit
  RETURN collect([e, score]) AS older
}
WITH best, matches, CASE WHEN size(older) > 0 THEN older ELSE recent END AS recent
