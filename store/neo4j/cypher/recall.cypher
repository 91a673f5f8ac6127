{{- if .Lexical}}{{template "recall_text.cypher" .}}{{else -}}
WITH [] AS best, [] AS matches, [] AS recent
{{- end}}
{{if .Vector}}{{template "recall_vector.cypher" .}}
{{- else -}}
WITH *, null AS vectorLength, null AS reach, [] AS recentlyNear, [] AS near
{{- end}}
{{if and .Lexical .Vector -}}
CALL (matches, near) {
  WITH near WHERE size(matches) = $limit
  {{template "look_up.cypher" "near"}}
  RETURN collect([e, score]) AS scored
}
{{- else -}}
WITH *, [] AS scored
{{- end}}
// Where nothing matches, the newest come.
CALL (matches, near) {
  WITH matches, near WHERE size(matches) + size(near) = 0
  {{template "in_order.cypher" .}}
  WITH e ORDER BY {{.Sort}} LIMIT $limit
  RETURN collect(e) AS newest
}
WITH *, matches + recent + scored + [e IN near + newest | [e, 0.0]] AS pairs
CALL (pairs) {
  UNWIND pairs AS pair
  WITH pair[0] AS e, max(pair[1]) AS score
  WITH e, score, e { {{template "aggregates.cypher" .}} } AS counted
  RETURN collect(e.key) AS keys, collect(e.startedAt) AS times, collect(toFloat(score)) AS scores,
    collect({{if .Vector}}coalesce(vector.similarity.cosine(e[$vectorProperty], $embedding), 0.5){{else}}0.5{{end}}) AS similarities,
    collect(counted.canvasActionCount) AS actions, collect(toFloat(counted.feedbackSum)) AS sums, collect(counted.feedbackCount) AS counts
}
RETURN head(best) AS best, vectorLength, keys, times, scores, similarities, actions, sums, counts,
  // Where a stream goes on: after which score, similarity and time. Null where it ended.
  CASE WHEN size(matches) = $limit THEN last(matches)[1] END AS lowest,
  CASE WHEN size(matches) = $limit AND size(recent) = $limit THEN last(recent)[0].startedAt END AS matchesBefore,
  reach,
  CASE WHEN reach IS NOT NULL AND size(recentlyNear) = $limit THEN last(recentlyNear).startedAt END AS nearBefore,
  CASE WHEN size(newest) = $limit THEN last(newest).startedAt END AS newestBefore
