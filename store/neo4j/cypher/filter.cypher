{{- /* What an episode e must meet, after its tenant and its time. With an instant ($asOf) what was known then counts. */ -}}
{{- if .Agent}}
  AND e.agent = $agent{{end}}
{{- if .Session}}
  AND e.session = $session{{end}}
{{- if .TaskType}}
  AND e.taskType = $taskType{{end}}
{{- if .Outcome}}
  AND e.outcome = $outcome{{end}}
{{- if .MinFeedback}}
  AND {{template "feedback_score.cypher" .}} >= $minFeedback{{end}}
{{- if .MaxFeedback}}
  AND {{template "feedback_score.cypher" .}} <= $maxFeedback{{end}}
{{- if .AsOf}}
  AND e.knownAt <= $asOf{{end}}
{{- if or .CanvasType .CanvasAction}}
  AND EXISTS {
    MATCH (e)-[:PRESENTED]->(c:Canvas)
    WHERE c.tenant = $tenant
    {{- if .CanvasType}} AND c.canvasType = $canvasType{{end}}
    {{- if .AsOf}} AND c.createdAt <= $asOf{{end}}
    {{- if and .CanvasAction .AsOf}}
      AND any(i IN range(0, size(c.actionKinds) - 1) WHERE c.actionKinds[i] = $canvasAction AND c.actionTimes[i] <= $asOf)
    {{- else if .CanvasAction}} AND $canvasAction IN c.actionKinds{{end}}
  }{{end}}
