OPTIONAL MATCH (t:Tenant {key: $tenant})
RETURN t.vectorLength AS length
