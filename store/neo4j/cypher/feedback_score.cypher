{{- /* The aggregate score of an episode e, null where it has no feedback. */ -}}
{{- if .AsOf -}}
CASE WHEN {{template "feedback_count.cypher"}} > 0 THEN {{template "feedback_sum.cypher"}} / {{template "feedback_count.cypher"}} END
{{- else -}}
e.aggregateFeedbackScore
{{- end -}}
