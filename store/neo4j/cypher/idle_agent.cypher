// Locks an agent, which nothing can join then, and tells whether it has nothing.
MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.tenant = a.tenant
WITH a WHERE a.tenant IS NOT NULL // not deleted while we waited for the lock
  AND NOT EXISTS { (a)-[:RAN]->() } AND NOT EXISTS { (a)<-[:OF]-() }
RETURN a.key AS key
