// Writes the ids of their ends to the links of a type that do not carry them.
MATCH (a {tenant: $tenant})-[r:{{.}}]->(b {tenant: $tenant})
WITH a, r, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + a.key AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) + ':' + b.key AS target
WHERE NOT coalesce(r.tenant = $tenant AND r.from = source AND r.to = target, false)
CALL (r, source, target) {
  SET r.tenant = $tenant, r.from = source, r.to = target
} IN TRANSACTIONS OF 10000 ROWS
