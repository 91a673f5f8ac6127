{{- if .AsOf -}}
head(COLLECT {
    MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf
    WITH sum(f.score) AS total, count(f) AS n
    RETURN CASE WHEN n > 0 THEN total / n END AS score })
{{- else -}}
e.aggregateFeedbackScore
{{- end -}}
