{{- if .Lexical}}{{template "recall_text.cypher" .}}{{else -}}
WITH [] AS best, [] AS matches
{{- end}}
// The newest that pass the filter; where fewer match than asked for, their text need not be looked at.
CALL (matches) {
  {{if not .Vector}}WITH matches WHERE size(matches) IN [0, $limit]{{end}}
  {{template "in_order.cypher" .}}
  WITH e ORDER BY {{.Sort}} LIMIT $scan
  RETURN collect(e) AS scanned
}
{{if .Lexical -}}
CALL (matches, scanned) {
  WITH scanned[..$window] AS window WHERE size(matches) = $limit
  {{template "look_up.cypher" "window"}}
  ORDER BY e.startedAt DESC, e.key LIMIT $limit
  RETURN collect([e, score]) AS recent
}
// Where too few of the newest match, the newest are sought among all that match, unless those are a multitude.
CALL (matches, scanned, recent) {
  WITH matches, scanned, recent WHERE size(matches) = $limit AND size(scanned) >= $window AND size(recent) < $limit
  CALL () {
    CALL db.index.fulltext.queryNodes('mneme_episode_text', $text, {skip: $multitude, limit: 1}) YIELD score
    RETURN count(score) AS beyond
  }
  WITH beyond WHERE beyond = 0
  CALL db.index.fulltext.queryNodes('mneme_episode_text', $text) YIELD node AS e, score
  WITH e, score WHERE score > 0 AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  ORDER BY e.startedAt DESC, e.key LIMIT $limit
  RETURN collect([e, score]) AS older
}
WITH best, matches, scanned, CASE WHEN size(older) > 0 THEN older ELSE recent END AS recent
{{- else -}}
WITH *, [] AS recent
{{- end}}
{{if .Vector}}{{template "recall_vector.cypher" .}}
{{- else -}}
WITH *, null AS vectorLength, null AS reach, [] AS nearest, [] AS recentlyNear
{{- end}}
{{if and .Lexical .Vector -}}
CALL (matches, nearest, recentlyNear) {
  WITH nearest + recentlyNear AS near WHERE size(matches) = $limit
  {{template "look_up.cypher" "near"}}
  RETURN collect([e, score]) AS scored
}
{{- else -}}
WITH *, [] AS scored
{{- end}}
CALL (recent, recentlyNear) {
  UNWIND [pair IN recent | pair[0]] + recentlyNear AS e
  WITH DISTINCT e ORDER BY e.startedAt DESC, e.key LIMIT $limit
  RETURN collect(e) AS newest
}
// Where nothing matches, the newest of all come.
WITH *, CASE WHEN size(matches) + size(nearest) = 0 THEN scanned[..$limit] ELSE newest END AS newest
// An episode stands in several lists; it has the score of any of them, and is in a stream or was only looked up.
WITH *, [pair IN matches | {e: pair[0], score: pair[1], streamed: true}]
  + [pair IN recent + scored | {e: pair[0], score: pair[1], streamed: false}]
  + [e IN nearest + newest | {e: e, score: 0.0, streamed: true}] AS found
CALL (found) {
  UNWIND found AS row
  WITH row.e AS e, max(row.score) AS score, max(row.streamed) AS streamed
  WITH e, score, e { {{template "aggregates.cypher" .}} } AS counted WHERE streamed
  RETURN collect(e.key) AS keys, collect(e.startedAt) AS times, collect(toFloat(score)) AS scores,
    collect({{if .Vector}}coalesce(vector.similarity.cosine(e[$vectorProperty], $embedding), 0.5){{else}}0.5{{end}}) AS similarities,
    collect(counted.canvasActionCount) AS actions, collect(counted.feedbackSum) AS sums, collect(counted.feedbackCount) AS counts
}
RETURN head(best) AS best, vectorLength, size(scanned) AS scanned,
  keys, times, scores, similarities, actions, sums, counts,
  size(matches) = $limit OR reach IS NOT NULL OR size(newest) = $limit AS more
