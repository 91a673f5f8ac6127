{{- /* Says of an episode e that it is an execution and that no profile counts it yet. */ -}}
e.taskType IS NOT NULL AND e.outcome IN $outcomes AND NOT EXISTS { (e)<-[:FROM]-(:Execution) }
{{- /* */ -}}
