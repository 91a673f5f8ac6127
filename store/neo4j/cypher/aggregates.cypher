{{- /* The aggregates of an episode e, as of an instant where one is given. */ -}}
{{- if .AsOf -}}
canvasActionCount: reduce(n = 0, part IN COLLECT {
    MATCH (e)-[:PRESENTED]->(c:Canvas) RETURN size([at IN CASE WHEN c.actionTimes IS :: LIST<ANY> NOT NULL THEN c.actionTimes ELSE [] END WHERE at <= $asOf]) AS part } | n + part),
  feedbackSum: {{template "feedback_sum.cypher"}},
  feedbackCount: {{template "feedback_count.cypher"}}
{{- else -}}
.canvasActionCount, .feedbackSum, .feedbackCount
{{- end -}}
