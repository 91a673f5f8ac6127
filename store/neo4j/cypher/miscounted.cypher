{{- /* The condition for an episode e whose aggregates are wrong. */ -}}
NOT coalesce(e.feedbackCount = COUNT { (e)-[:RECEIVED]->() } AND e.canvasCount = COUNT { (e)-[:PRESENTED]->() }
  AND e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x)
  AND e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  AND e.feedbackRank = CASE WHEN e.feedbackCount > 0 THEN toFloatOrNull(e.feedbackSum) / toFloatOrNull(e.feedbackCount) ELSE $unrated END
  AND (e.boosted IS NOT NULL) = (e.canvasActionCount > 0 OR e.feedbackSum > 0), false)
{{- /* */ -}}
