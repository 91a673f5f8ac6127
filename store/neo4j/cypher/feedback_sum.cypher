reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf RETURN f.score AS part } | sum + x)
{{- /* */ -}}
