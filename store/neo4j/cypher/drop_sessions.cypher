// Removes the sessions that nothing is in any more, with what is said about them.
UNWIND $sessions AS key
MATCH (s:Session {tenant: $tenant, key: key})
SET s.tenant = s.tenant
WITH s WHERE NOT EXISTS { (s)<-[:IN_SESSION]-() }
DETACH DELETE s
