// Removes what nobody waits for any more.
UNWIND $awaited AS awaited
MATCH (w:Waiting {tenant: $tenant, kind: awaited.kind, key: awaited.key})
SET w.tenant = w.tenant
WITH w WHERE NOT EXISTS { (w)<-[:WAITS_FOR]-() }
DELETE w
