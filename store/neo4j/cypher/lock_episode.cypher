// Locks an episode and tells what identifies its content. What was deleted while we waited for its lock has no
// properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
RETURN e.inputHash AS hash
