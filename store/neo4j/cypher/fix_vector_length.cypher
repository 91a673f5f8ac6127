// The first vector fixes the length; whoever comes second waits for the lock and finds it.
MERGE (t:Tenant {key: $tenant})
ON CREATE SET t.inputKey = $inputKey
SET t.key = t.key
SET t.vectorLength = coalesce(t.vectorLength, $length)
RETURN t.vectorLength AS length
