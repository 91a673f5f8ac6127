MATCH (x:Execution {tenant: $tenant, key: $key})
SET x.inputHash = ''
