{{- /* The newest episodes e that pass the filter, of a bounded number that is looked at. */ -}}
{{- if .Marked}}
  CALL db.index.fulltext.queryNodes('mneme_words', $marks, {limit: $look}) YIELD node AS e
  WITH e WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  WITH e ORDER BY e.startedAt DESC, e.key WHERE e.startedAt <= $until
{{- else}}
  MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
  WHERE e.tenant = $tenant{{with .Fixed}} AND e.{{.}} = ${{.}}{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
  WITH e ORDER BY {{.Sort}} LIMIT $look
  WITH e WHERE e.startedAt <= $until
{{- template "filter.cypher" .}}
{{- end}}
{{- /* */ -}}
