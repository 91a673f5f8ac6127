// The links that feedback has, and locks it.
UNWIND $keys AS key
MATCH (f:Feedback {tenant: $tenant, key: key})
SET f.tenant = f.tenant
WITH f WHERE f.tenant IS NOT NULL // not deleted while we waited for the lock
RETURN f.key AS key, f.canvas AS canvas, f.episode AS episode, f.score AS score, f.way AS way
