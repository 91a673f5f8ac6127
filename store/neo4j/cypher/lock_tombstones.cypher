// Locks tombstones, there or not, as lock.cypher does, and tells those that are there.
UNWIND $keys AS key
MERGE (t:Tombstone {tenant: $tenant, key: key}) ON CREATE SET t.placeholder = true
WITH key, t, t.placeholder IS NULL AS known
FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [t] END | DELETE placeholder)
WITH key WHERE known
RETURN key
