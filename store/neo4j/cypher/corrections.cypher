UNWIND $keys AS key
MATCH (n:Correction {tenant: $tenant, key: key})
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
