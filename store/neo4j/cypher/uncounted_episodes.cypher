// The next episodes by key that are executions and that no profile counts yet.
MATCH (e:Episode) USING INDEX e:Episode(tenant, key)
WHERE e.tenant = $tenant AND e.key > $page.after AND e.taskType IS NOT NULL AND e.outcome IN $outcomes
  AND NOT EXISTS { (e)<-[:FROM]-(:Execution) }
RETURN e.key AS key ORDER BY e.tenant, e.key LIMIT $limit
