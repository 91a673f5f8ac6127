// The first vector fixes the length; whoever comes second waits for the lock and finds it. Where the node is gone it
// comes back without an input key: with a new one, nobody would notice that the one that was hashed with is lost.
MERGE (t:Tenant {key: $tenant})
SET t.key = t.key
SET t.vectorLength = coalesce(t.vectorLength, $length)
RETURN t.vectorLength AS length
