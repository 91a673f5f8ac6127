// What belongs to episodes, the sessions that any of it is in, and the profiles that count them.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
RETURN COLLECT { MATCH (e)-[:COVERS]->(x:ExecutionID) RETURN x.key } AS executions,
       COLLECT { MATCH (e)-[:PRESENTED]->(c:Canvas) RETURN c.key } AS canvases,
       COLLECT { MATCH (e)<-[:FROM]-(x:Execution) RETURN x.profile } AS profiles,
       COLLECT {
         MATCH (e)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (e)-[:PRESENTED]->(:Canvas)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (e)-[:RECEIVED]->(:Feedback)-[:IN_SESSION]->(s:Session) RETURN s.key
       } AS sessions
