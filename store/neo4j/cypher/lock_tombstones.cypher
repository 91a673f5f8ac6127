// Locks tombstones, there or not, as lock.cypher does, and tells those that are there.
UNWIND $keys AS key
MERGE (t:Tombstone {tenant: $tenant, key: key}) ON CREATE SET t.placeholder = true
SET t.tenant = t.tenant
WITH key, t, t.placeholder IS NULL AS known, t.tenant IS NULL AS gone
FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [t] END | DELETE placeholder)
RETURN collect(CASE WHEN known THEN key END) AS keys, count(CASE WHEN gone THEN 1 END) AS gone
