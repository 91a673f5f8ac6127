MATCH (x:Execution {tenant: $tenant, key: $key})
SET x.tenant = x.tenant
RETURN x.inputHash AS inputHash
