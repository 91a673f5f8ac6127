// What a tenant's records wait for that is there; for an execution, with the episode that covers it.
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind IS NOT NULL AND w.key IS NOT NULL AND EXISTS { (w)<-[:WAITS_FOR]-() }
WITH w WHERE {{template "arrived.cypher" .}}
RETURN w.kind AS kind, w.key AS key, CASE w.kind
  WHEN 'execution' THEN head(COLLECT {
    MATCH (:ExecutionID {tenant: $tenant, key: w.key})<-[:COVERS]-(e:Episode)
    RETURN e.key ORDER BY e.startedAt, e.key LIMIT 1 })
  ELSE w.key END AS found
