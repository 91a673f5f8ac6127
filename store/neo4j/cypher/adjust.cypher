// Brings the aggregates of episodes up to date; the first SET takes the lock.
UNWIND $rows AS row
MATCH (e:Episode {tenant: $tenant, key: row.key})
SET e.tenant = e.tenant
SET e.canvasActionCount = {{template "countable.cypher" "e.canvasActionCount"}} + row.actions,
    e.canvasCount = {{template "countable.cypher" "e.canvasCount"}} + row.canvases,
    e.feedbackSum = {{template "countable.cypher" "e.feedbackSum"}} + row.sum,
    e.feedbackCount = {{template "countable.cypher" "e.feedbackCount"}} + row.count
SET e.aggregateFeedbackScore = CASE WHEN e.feedbackCount > 0 THEN e.feedbackSum / e.feedbackCount END
SET e.feedbackRank = coalesce(e.aggregateFeedbackScore, $unrated)
{{template "boost.cypher"}}
RETURN count(e.key) AS adjusted
