UNWIND $keys AS key
MATCH (t:Tombstone {tenant: $tenant, key: key})
DELETE t
