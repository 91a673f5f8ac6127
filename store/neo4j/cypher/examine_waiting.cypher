// Counts what is waited for, by whether anybody waits for it and whether it is there.
MATCH (w:Waiting)
WITH w, {{template "arrived.cypher" .}} AS arrived, EXISTS { (w)<-[:WAITS_FOR]-() } AS awaited
RETURN w.tenant AS tenant, count(*) AS waits,
  sum(CASE WHEN awaited AND arrived THEN 1 ELSE 0 END) AS late, sum(CASE WHEN awaited THEN 0 ELSE 1 END) AS idle
