// Removes what nobody waits for any more; the SET takes the lock of those who begin to.
MATCH (w:Waiting {tenant: $tenant}) WHERE w.kind IS NOT NULL AND w.key IS NOT NULL // for the index
SET w.tenant = w.tenant
WITH w WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
DELETE w
