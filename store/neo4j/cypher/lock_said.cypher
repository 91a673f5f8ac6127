UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
RETURN {{template "what_is_said.cypher"}}
