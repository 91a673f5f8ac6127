{{template "in_order.cypher" .}}
WITH e ORDER BY {{.Sort}} LIMIT $limit
RETURN e.key AS key, e.startedAt AS startedAt, e.outcome AS outcome, e.feedbackSum AS feedbackSum, e.feedbackCount AS feedbackCount,
  CASE WHEN e.feedbackCount = 0 THEN [] ELSE COLLECT {
    MATCH (e)-[:RECEIVED]->(f:Feedback) WHERE f.score <= 0 AND f.corrections <> ''
    RETURN DISTINCT f.source
  } END AS interventions
ORDER BY {{.Sort}}
