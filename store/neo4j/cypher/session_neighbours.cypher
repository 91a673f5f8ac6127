UNWIND $keys AS key
MATCH (o:Observation {tenant: $tenant, key: key})
CALL (o) {
  MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, session, createdAt, key)
  WHERE n.tenant = $tenant AND n.session = o.session AND n.createdAt <= o.createdAt AND n.key IS NOT NULL
    AND CASE n.createdAt WHEN o.createdAt THEN n.key < o.key ELSE true END
  WITH n ORDER BY n.tenant DESC, n.session DESC, n.createdAt DESC, n.key DESC LIMIT 1
  RETURN collect(n.key) AS before
}
CALL (o) {
  MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, session, createdAt, key)
  WHERE n.tenant = $tenant AND n.session = o.session AND n.createdAt >= o.createdAt AND n.key IS NOT NULL
    AND CASE n.createdAt WHEN o.createdAt THEN n.key > o.key ELSE true END
  WITH n ORDER BY n.tenant, n.session, n.createdAt, n.key LIMIT 1
  RETURN collect(n.key) AS after
}
RETURN o.key AS key, coalesce(head(before), '') AS before, coalesce(head(after), '') AS after
