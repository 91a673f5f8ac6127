// Brings the aggregates of episodes up to date; the first SET takes the lock.
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, key: row.key})
SET e.tenant = e.tenant
SET e.canvasActionCount = coalesce(toIntegerOrNull(e.canvasActionCount), 0) + row.actions,
    e.canvasCount = coalesce(toIntegerOrNull(e.canvasCount), 0) + row.canvases,
    e.feedbackSum = coalesce(toFloatOrNull(e.feedbackSum), 0.0) + row.sum,
    e.feedbackCount = coalesce(toIntegerOrNull(e.feedbackCount), 0) + row.count
SET e.aggregateFeedbackScore = CASE WHEN e.feedbackCount > 0 THEN e.feedbackSum / e.feedbackCount END
SET e.feedbackRank = coalesce(e.aggregateFeedbackScore, $unrated)
{{template "boost.cypher"}}
RETURN count(e.key) AS adjusted
