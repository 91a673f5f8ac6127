{{- /* The columns of an episode e and of what comes along: never its vector, never its log. */ -}}
e {.key, .title, .agent, .session, .taskType, .observation, .thoughts, .actionNames, .actionIds, .actionResults,
  .result, .outcome, .insight, .executionIds, .startedAt, .endedAt, .createdAt, .segments, .metadata, .quality,
  .concluded, .tokensBefore, .tokensAfter, .redactionKinds, .redactionCounts, {{template "aggregates.cypher" .}}} AS episode
{{- if .WithAgent}},
  head(COLLECT { MATCH (a:Agent {tenant: $tenant, key: e.agent}) RETURN a.name }) AS agentName{{end}}
{{- if .WithCanvases}},
  COLLECT {
    MATCH (c:Canvas) USING INDEX c:Canvas(tenant, episode, createdAt, key)
    WHERE c.tenant = $tenant AND c.episode = e.key AND c.createdAt <= $latest AND c.key IS NOT NULL
    WITH c ORDER BY c.tenant DESC, c.episode DESC, c.createdAt DESC, c.key LIMIT $contextLimit
    RETURN c
  } AS canvases{{end}}
{{- if .WithFeedback}},
  COLLECT {
    MATCH (f:Feedback) USING INDEX f:Feedback(tenant, episode, createdAt, key)
    WHERE f.tenant = $tenant AND f.episode = e.key AND f.createdAt <= $latest AND f.key IS NOT NULL
    WITH f ORDER BY f.tenant DESC, f.episode DESC, f.createdAt DESC, f.key LIMIT $contextLimit
    RETURN f
  } AS feedback{{end}}
