// Counts links by type, those that do not carry the ids of their ends, and those between kinds that the type
// does not link. What leads to another tenant is counted elsewhere.
MATCH (a)-[r:{{.}}]->(b) WHERE a.tenant = b.tenant
WITH a, r, b, head([l IN labels(a) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) AS source,
     head([l IN labels(b) WHERE $kinds[l] IS NOT NULL | $kinds[l]]) AS target
RETURN a.tenant AS tenant, type(r) AS type, count(*) AS links,
  sum(CASE WHEN r.tenant = a.tenant AND r.from = source + ':' + a.key AND r.to = target + ':' + b.key THEN 0 ELSE 1 END) AS misnamed,
  sum(CASE WHEN source IN $from[type(r)] AND target IN $to[type(r)] THEN 0 ELSE 1 END) AS odd
ORDER BY tenant, type
