UNWIND $keys AS key
MERGE (:Tombstone {tenant: $tenant, key: key})
