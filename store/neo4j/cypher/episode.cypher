{{- /* The columns of an episode e and of what comes along: never its vector, never its log. */ -}}
e {.key, .title, .agent, .session, .taskType, .observation, .thoughts, .actionNames, .actionIds, .actionResults,
  .result, .outcome, .insight, .executionIds, .startedAt, .endedAt, .createdAt, .segments, .metadata, .quality,
  .concluded, .tokensBefore, .tokensAfter, .redactionKinds, .redactionCounts, {{template "aggregates.cypher" .}}} AS episode
{{- if .WithAgent}},
  head([(a:Agent)-[:RAN]->(e) | a.name]) AS agentName{{end}}
{{- /* Few neighbours are read from the episode, the newest of many from an index; the reader sorts them. */ -}}
{{- if .WithCanvases}},
  CASE WHEN e.canvasCount <= $contextLimit THEN [(e)-[:PRESENTED]->(c:Canvas){{if .AsOf}} WHERE c.createdAt <= $asOf{{end}} | c] ELSE COLLECT {
    MATCH (c:Canvas) USING INDEX SEEK c:Canvas(tenant, episode, createdAt, key)
    WHERE c.tenant = $tenant AND c.episode = e.key AND c.createdAt <= $latest AND c.key IS NOT NULL
    WITH c ORDER BY c.tenant DESC, c.episode DESC, c.createdAt DESC, c.key LIMIT $contextLimit
    RETURN c
  } END AS canvases{{end}}
{{- if .WithFeedback}},
  CASE WHEN e.feedbackCount <= $contextLimit THEN [(e)-[:RECEIVED]->(f:Feedback){{if .AsOf}} WHERE f.createdAt <= $asOf{{end}} | f] ELSE COLLECT {
    MATCH (f:Feedback) USING INDEX SEEK f:Feedback(tenant, episode, createdAt, key)
    WHERE f.tenant = $tenant AND f.episode = e.key AND f.createdAt <= $latest AND f.key IS NOT NULL
    WITH f ORDER BY f.tenant DESC, f.episode DESC, f.createdAt DESC, f.key LIMIT $contextLimit
    RETURN f
  } END AS feedback{{end}}
