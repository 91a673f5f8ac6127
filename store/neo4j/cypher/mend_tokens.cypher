// Lets searches find a tenant's records.
MATCH (n:{{.}} {tenant: $tenant})
WITH n, $tokens[head([l IN labels(n) WHERE $kinds[l] IS NOT NULL | $kinds[l]])] AS token
WHERE NOT coalesce(n.kindToken = token AND (NOT n:Episode OR n.tenantToken = $tenantToken), false)
CALL (n, token) {
  SET n.kindToken = token
  FOREACH (e IN CASE WHEN n:Episode THEN [n] ELSE [] END | SET e.tenantToken = $tenantToken)
} IN TRANSACTIONS OF 10000 ROWS
