// The keys of all tenants: of each what it opens, and its hash. The key of such a node is the prefix of the key that it
// stands for.

// name: add_key
// Nothing is answered where another has the prefix. The same again, as after an answer that was lost, is the same.
MERGE (k:AccessKey {key: $key.key})
ON CREATE SET k = $key
WITH k WHERE k.hash = $key.hash
OPTIONAL MATCH (s:MnemeSchema) SET s.keyed = true
RETURN DISTINCT k.key AS key

// name: find_key
MATCH (k:AccessKey {key: $key})
RETURN {{template "access_key"}} AS n

// name: list_keys
MATCH (k:AccessKey)
WHERE k.key IS NOT NULL AND ($tenant IS NULL OR k.tenant = $tenant)
RETURN {{template "access_key"}} AS n ORDER BY k.createdAt DESC, k.key

// name: revoke_key
MATCH (k:AccessKey {key: $key})
WHERE $tenant IS NULL OR k.tenant = $tenant
SET k.revokedAt = coalesce(k.revokedAt, $at)
RETURN {{template "access_key"}} AS n

// part: access_key
k {.key, .hash, .tenant, .role, .name, .user, .createdAt, .expiresAt, .revokedAt}

// name: has_keys
OPTIONAL MATCH (k:AccessKey) WHERE k.key IS NOT NULL
WITH k LIMIT 1
RETURN k IS NOT NULL AS has, EXISTS { (s:MnemeSchema {keyed: true}) } AS had

// name: reset_keys
OPTIONAL MATCH (s:MnemeSchema) REMOVE s.keyed
WITH DISTINCT 1 AS one
MATCH (k:AccessKey) DELETE k
