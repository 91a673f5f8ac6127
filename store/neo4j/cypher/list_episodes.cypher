{{if and .ByFeedback .After -}}
CALL () { // the rest of the rank that the last page ended in, and the ranks below
  {{template "in_order.cypher" .InRank}}
  RETURN e ORDER BY {{.Sort}} LIMIT $limit
  UNION ALL
  {{template "in_order.cypher" .BelowRank}}
  RETURN e ORDER BY {{.Sort}} LIMIT $limit
}
{{- else}}{{template "in_order.cypher" .}}{{end}}
WITH e ORDER BY {{.Sort}} LIMIT $limit
RETURN {{template "episode.cypher" .}}
ORDER BY {{.Sort}}
