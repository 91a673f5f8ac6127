MATCH (m:Memoir {tenant: $tenant, name: $name})
RETURN m
