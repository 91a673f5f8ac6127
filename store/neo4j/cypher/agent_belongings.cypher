// Locks an agent, which no episode can join then, and tells all that belongs to it.
MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.tenant = a.tenant
WITH a WHERE a.tenant IS NOT NULL // not deleted while we waited for the lock
RETURN COLLECT { MATCH (a)-[:RAN]->(e:Episode) RETURN e.key } AS episodes,
       COLLECT { MATCH (a)-[:RAN]->(:Episode)-[:COVERS]->(x:ExecutionID) RETURN DISTINCT x.key } AS executions,
       COLLECT { MATCH (a)-[:RAN]->(:Episode)-[:PRESENTED]->(c:Canvas) RETURN c.key } AS canvases,
       COLLECT { MATCH (a)-[:RAN]->(:Episode)-[:RECEIVED]->(f:Feedback) RETURN f.key } AS feedback,
       COLLECT { MATCH (a)<-[:OF]-(p:LearningProfile) RETURN p.key } AS profiles,
       COLLECT { MATCH (o:Observation) WHERE o.tenant = $tenant AND o.key STARTS WITH $sums RETURN o.key } AS observations,
       COLLECT {
         MATCH (a)-[:RAN]->(:Episode)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (a)-[:RAN]->(:Episode)-[:PRESENTED]->(:Canvas)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (a)-[:RAN]->(:Episode)-[:RECEIVED]->(:Feedback)-[:IN_SESSION]->(s:Session) RETURN s.key
       } AS sessions
