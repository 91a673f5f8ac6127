// Counts again. The first SET takes the lock that every writer of an episode takes.
MATCH (e:Episode {tenant: $tenant})
WHERE {{template "miscounted.cypher"}}
CALL (e) {
  SET e.tenant = e.tenant
  SET e.feedbackCount = COUNT { (e)-[:RECEIVED]->() }, e.canvasCount = COUNT { (e)-[:PRESENTED]->() },
      e.feedbackSum = reduce(sum = 0.0, x IN COLLECT { MATCH (e)-[:RECEIVED]->(f) RETURN coalesce(toFloatOrNull(f.score), 0.0) } | sum + x),
      e.canvasActionCount = reduce(sum = 0, x IN COLLECT { MATCH (e)-[:PRESENTED]->(c) RETURN size(CASE WHEN c.actionKinds IS :: LIST<ANY> NOT NULL THEN c.actionKinds ELSE [] END) } | sum + x)
  SET e.aggregateFeedbackScore = CASE WHEN e.feedbackCount > 0 THEN e.feedbackSum / e.feedbackCount END
  SET e.feedbackRank = coalesce(e.aggregateFeedbackScore, $unrated)
  {{template "boost.cypher"}}
} IN TRANSACTIONS OF 1000 ROWS
