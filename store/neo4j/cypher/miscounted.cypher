{{- /* The condition for an episode e whose aggregates are wrong. */ -}}
NOT coalesce(e.feedbackCount = COUNT { (e)-[:RECEIVED]->() } AND e.canvasCount = COUNT { (e)-[:PRESENTED]->() }
  AND e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) RETURN f.score } | sum + x)
  AND e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(c.actionKinds) } | sum + x)
  AND e.feedbackRank = CASE WHEN e.feedbackCount > 0 THEN e.feedbackSum / e.feedbackCount ELSE $unrated END
  AND (e.boosted IS NOT NULL) = (e.canvasActionCount > 0 OR e.feedbackSum > 0), false)
{{- /* */ -}}
