{{- /* The aggregates of an episode e, as of an instant where one is given. */ -}}
{{- if .AsOf -}}
canvasActionCount: head(COLLECT {
    MATCH (e)-[:PRESENTED]->(c:Canvas) RETURN sum(size([at IN c.actionTimes WHERE at <= $asOf])) AS n }),
  feedbackSum: head(COLLECT { MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf RETURN sum(f.score) AS n }),
  feedbackCount: head(COLLECT { MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf RETURN count(f) AS n })
{{- else -}}
.canvasActionCount, .feedbackSum, .feedbackCount
{{- end -}}
