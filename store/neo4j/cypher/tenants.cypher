// What is kept once for each tenant: the key that inputs are hashed with, and the length of its vectors.

// name: tenants
MATCH (t:Tenant)
WHERE t.key IS :: STRING NOT NULL
RETURN t.key AS tenant ORDER BY tenant

// name: tenant
// Brings a tenant's node into being, with a new input key.
MERGE (t:Tenant {key: $tenant})
ON CREATE SET t.inputKey = $inputKey
RETURN t.inputKey AS inputKey

// name: lock_tenant
// Brings a tenant's node into being where it is gone, and locks it.
MERGE (t:Tenant {key: $tenant})
SET t.key = t.key
RETURN t.inputKey AS inputKey

// name: has_records
// Whether a tenant has anything whose input was hashed.
RETURN {{template "any_record"}} AS has

// part: any_record
EXISTS { MATCH (n:Tombstone) USING INDEX SEEK n:Tombstone(tenant, key) WHERE n.tenant = $tenant AND n.key > '' }
{{- range kinds}} OR EXISTS { MATCH (n:{{label .}}) USING INDEX SEEK n:{{label .}}(tenant, key) WHERE n.tenant = $tenant AND n.key > '' }{{end}}

// name: has_tenant
// Whether there is anything of a tenant.
RETURN EXISTS { MATCH (:Tenant {key: $tenant}) } OR {{template "any_record"}} OR EXISTS {
  MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key) WHERE s.tenant = $tenant AND s.trace IS NOT NULL AND s.key IS NOT NULL
} AS has

// name: due_tenants
// The tenants of which spans are held, or vectors due, told from the indexes alone.
CALL () {
  MATCH (s:HeldSpan) USING INDEX s:HeldSpan(tenant, trace, key)
  WHERE s.tenant IS NOT NULL AND s.trace IS NOT NULL AND s.key IS NOT NULL
  RETURN DISTINCT s.tenant AS tenant
  UNION
  MATCH (p:Passage) USING INDEX p:Passage(tenant, due)
  WHERE p.tenant IS NOT NULL AND p.due IS NOT NULL AND $vectors
  RETURN DISTINCT p.tenant AS tenant
}
WITH tenant WHERE tenant IS :: STRING NOT NULL
RETURN tenant ORDER BY tenant

// name: backlog
// What waits for a server: the traces of held spans, the first of these, and records of which vectors are due.
CALL () {
  MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, arrivedAt, ends)
  WHERE s.tenant = $tenant AND s.trace IS NOT NULL AND s.arrivedAt IS NOT NULL AND s.ends IS NOT NULL
  WITH s LIMIT $most
  RETURN count(DISTINCT s.trace) AS traces, min(CASE WHEN s.arrivedAt IS :: ZONED DATETIME NOT NULL THEN s.arrivedAt END) AS oldest
}
CALL () {
  {{template "due"}}
  WITH DISTINCT n LIMIT $most
  RETURN count(n) AS due
}
RETURN traces, oldest, due

// name: set_setting
MATCH (t:Tenant {key: $tenant})
SET t += $setting

// name: vector_length
// The length of the tenant's vectors, null where there are none so far.
OPTIONAL MATCH (t:Tenant {key: $tenant})
RETURN t.vectorLength AS length

// name: fix_vector_length
// The first vector fixes the length; whoever comes second waits for the lock and finds it. Where the node is gone it
// comes back without an input key: with a new one, nobody would notice that the one that was hashed with is lost.
MERGE (t:Tenant {key: $tenant})
SET t.key = t.key
SET t.vectorLength = coalesce(t.vectorLength, $length)
RETURN t.vectorLength AS length

// name: prevailing_length
// The length that most vectors of a tenant have, by the properties that hold them; of those that as many have, the
// preferred one, else the shortest.
MATCH (e:Episode {tenant: $tenant}) WHERE e.key IS NOT NULL // for the index
UNWIND keys(e) AS name
WITH name, count(*) AS vectors WHERE name =~ 'embedding[1-9][0-9]{0,3}'
WITH toInteger(substring(name, 9)) AS length, vectors ORDER BY vectors DESC, length <> $preferred, length LIMIT 1
RETURN length

// name: restore_tenant
// Brings back what is kept once for a tenant, except a length that is fixed already.
MATCH (t:Tenant {key: $tenant})
SET t.inputKey = $inputKey
FOREACH (length IN CASE WHEN $length > 0 THEN [$length] ELSE [] END | SET t.vectorLength = coalesce(t.vectorLength, length))
