UNWIND $keys AS key
MATCH (m:Memoir {tenant: $tenant, key: key})
RETURN m
