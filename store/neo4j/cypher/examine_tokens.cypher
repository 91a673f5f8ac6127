// Counts records with text by the token under which a search finds them.
MATCH (n:{{.}})
RETURN n.tenant AS tenant, head([l IN labels(n) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) AS kind, n.kindToken AS token,
  CASE WHEN n:Episode THEN n.tenantToken END AS tenantToken, count(*) AS records
