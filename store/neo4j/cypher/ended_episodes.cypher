UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
RETURN {{template "ended.cypher" .}}
