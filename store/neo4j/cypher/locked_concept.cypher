MATCH (c:Concept {tenant: $tenant, key: $key})
SET c.tenant = c.tenant
RETURN c
