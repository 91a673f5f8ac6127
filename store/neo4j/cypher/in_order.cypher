{{- /* Matches episodes e so that an index gives them in the order asked for. What lies before the page is
excluded by CASE, because an OR makes the planner join two indexes and sort. */ -}}
MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
WHERE e.tenant = $tenant
{{- with .Fixed}} AND e.{{.}} = ${{.}}{{end}}
{{- if .SameRank}} AND e.feedbackRank = $afterRank AND e.startedAt <= $afterAt
{{- else if .LowerRank}} AND e.feedbackRank < $afterRank
{{- else if .ByFeedback}} AND e.feedbackRank <= $bestRank{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
{{- template "filter.cypher" .}}
{{- if and .After (not .LowerRank)}}
  AND CASE e.startedAt WHEN $afterAt THEN e.key > $afterKey ELSE true END{{end}}
