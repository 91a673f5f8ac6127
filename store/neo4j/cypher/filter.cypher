{{- /* What an episode e must meet, after its tenant and its time. Conditions that are not set are null, which
keeps the texts of queries few and their plans in the cache; those that need other nodes are left out, because
they cost much to plan. With an instant ($asOf) what was known then counts. */}}
  AND ($agent IS NULL OR e.agent = $agent)
  AND ($session IS NULL OR e.session = $session)
  AND ($taskType IS NULL OR e.taskType = $taskType)
  AND ($outcome IS NULL OR e.outcome = $outcome)
{{- if .AsOf}}
  AND e.knownAt <= $asOf{{end}}
{{- if .ByScore}}
  AND ($minFeedback IS NULL OR {{template "feedback_score.cypher" .}} >= $minFeedback)
  AND ($maxFeedback IS NULL OR {{template "feedback_score.cypher" .}} <= $maxFeedback)
{{- end}}
{{- if .ByCanvas}}
  AND EXISTS {
    MATCH (e)-[:PRESENTED]->(c:Canvas)
    WHERE ($canvasType IS NULL OR c.canvasType = $canvasType)
    {{- if .AsOf}} AND c.createdAt <= $asOf
      AND ($canvasAction IS NULL OR c.actionKinds IS :: LIST<ANY> NOT NULL AND c.actionTimes IS :: LIST<ANY> NOT NULL AND any(i IN range(0, size(c.actionKinds) - 1) WHERE c.actionKinds[i] = $canvasAction AND c.actionTimes[i] <= $asOf))
    {{- else}} AND ($canvasAction IS NULL OR $canvasAction IN CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END){{end}}
  }
{{- end}}
