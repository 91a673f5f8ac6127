UNWIND $keys AS key
MATCH (x:Execution {tenant: $tenant, key: key})
DETACH DELETE x
