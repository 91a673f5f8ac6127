{{- /* Matches episodes e so that an index gives them in the order asked for. */ -}}
MATCH (e:Episode) USING INDEX e:Episode({{.Index}})
WHERE e.tenant = $tenant
{{- with .Fixed}} AND e.{{.}} = ${{.}}{{end}}
{{- if .ByFeedback}} AND e.feedbackRank <= $afterRank{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
{{- template "filter.cypher" .}}
{{- if .After}}
  AND {{if .ByFeedback}}(e.feedbackRank < $afterRank OR e.startedAt < $afterAt OR e.startedAt = $afterAt AND e.key > $afterKey)
  {{- else if .OldestFirst}}(e.startedAt > $afterAt OR e.key > $afterKey)
  {{- else}}(e.startedAt < $afterAt OR e.key > $afterKey){{end}}{{end}}
