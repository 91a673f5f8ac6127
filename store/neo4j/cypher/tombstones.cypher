UNWIND $keys AS key
MATCH (t:Tombstone {tenant: $tenant, key: key})
RETURN t.key AS key
