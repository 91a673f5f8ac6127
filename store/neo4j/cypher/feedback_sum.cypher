reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf RETURN coalesce(toFloatOrNull(f.score), 0.0) AS part } | sum + x)
{{- /* */ -}}
