MATCH (e:Episode {tenant: $tenant, key: $key})<-[:RAN]-(a:Agent)
RETURN
  e {.key, .title, .observation, .thoughts, .actionNames, .actionResults, .result, .outcome, .insight,
     .startedAt, .endedAt, .feedbackSum, .feedbackCount, .canvasActionCount} AS episode,
  a {.key, .name} AS agent,
  COLLECT {
    MATCH (e)-[:PRESENTED]->(c:Canvas)
    RETURN c {.key, .canvasType, .componentType, .actionKinds, .actionMetadata, .actionTimes, .createdAt}
    ORDER BY c.createdAt DESC LIMIT 100
  } AS canvases,
  COLLECT {
    MATCH (e)-[:RECEIVED]->(f:Feedback)
    RETURN f {.key, .type, .rating, .score, .corrections, .createdBy, .createdAt}
    ORDER BY f.createdAt DESC LIMIT 100
  } AS feedback
