COUNT { MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.createdAt <= $asOf }
{{- /* */ -}}
