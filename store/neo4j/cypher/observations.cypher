// What was noticed and what was put right: observations with their weights, and corrections.

// name: create_annotations
// Creates annotations and tells what has been waiting for them and for their sessions.
CALL () {
  UNWIND $rows AS row
  CREATE (n:{{label .}}) SET n = row
  FOREACH (key IN CASE WHEN row.session IS NULL THEN [] ELSE [row.session] END |
    MERGE (s:Session {tenant: $tenant, key: key})
    CREATE (n)-[:IN_SESSION {tenant: $tenant, from: '{{.}}:' + n.key, to: 'session:' + key}]->(s))
}
CALL () {
  {{template "keep_passages" (label .)}}
}
{{template "waiting" .}}

// part: annotation
// An annotation n with the ids of what it is about.
n {.*, about: COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to }}

// name: observations
UNWIND $keys AS key
MATCH (n:Observation {tenant: $tenant, key: key})
RETURN {{template "annotation"}} AS n

// name: list_observations
// A page of observations, by weight or by time.
{{if and .LatestFirst (not .Count)}}{{template "latest_observations" .}}{{else}}{{template "weighed" .}}{{end}}
WHERE weight >= {{if .MinWeight}}$minWeight{{else}}0{{end}}
{{- if .MaxWeight}} AND weight <= $maxWeight{{end}}
{{- if .ByUser}} AND {{template "is_of_user" "n"}}{{end}}
{{- if and .After (not .LatestFirst)}}
  AND (weight {{if .LightestFirst}}>{{else}}<{{end}} $afterWeight OR weight = $afterWeight
    AND (created < $afterAt OR created = $afterAt AND key > $afterKey)){{end}}
{{- if .Count}}
RETURN count(n) AS n
{{- else if .LatestFirst}}
WITH n, created, key LIMIT $limit
RETURN {{template "annotation"}} AS n
ORDER BY created DESC, key
{{- else}}
WITH n, weight, created, key ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, created DESC, key LIMIT $limit
RETURN {{template "annotation"}} AS n
ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, created DESC, key
{{- end}}

// part: weighed
// All observations n with their weights, created and key, from one index without a look at the nodes:
// asked for ranges, as wide as they can be, and for each property once, Neo4j takes the values from there.
MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, importance, accessCount, usedAt, createdAt, key)
WHERE n.tenant = $tenant AND n.importance >= '' AND n.accessCount >= 0 AND n.usedAt >= $since
  AND n.createdAt >= $since AND n.key >= ''
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used, n.createdAt AS created, n.key AS key
WITH n, importance, created, key, {{.Weight}} AS weight

// part: latest_observations
// The same, the latest first.
MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, createdAt, key)
WHERE n.tenant = $tenant AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if .After}}
  AND CASE n.createdAt WHEN $until THEN n.key > $afterKey ELSE true END{{end}}
WITH n ORDER BY n.tenant DESC, n.createdAt DESC, n.key
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used
WITH n, n.createdAt AS created, n.key AS key, {{.Weight}} AS weight

// name: add_accesses
// Several of one observation are one, and all writers lock in the order of the keys. The first SET takes the lock, so that
// the counts of all writers add up.
UNWIND $rows AS one
WITH one.key AS key, {count: sum(one.count), at: max(one.at)} AS row ORDER BY key
MATCH (n:Observation {tenant: $tenant, key: key})
SET n.tenant = n.tenant
SET n.accessCount = {{template "countable" "n.accessCount"}} + row.count,
    n.lastAccessedAt = CASE WHEN n.lastAccessedAt > row.at THEN n.lastAccessedAt ELSE row.at END
SET n.usedAt = n.lastAccessedAt

// name: count_prunable
// Counts the observations that weigh too little.
{{template "weighed" .}}
WHERE weight < $minWeight AND NOT importance IN $pinned
RETURN count(n) AS n

// name: prunable
// The keys of the observations that weigh too little, in their order: that in which they are locked.
{{template "weighed" .}}
WHERE weight < $minWeight AND NOT importance IN $pinned
RETURN key ORDER BY key

// name: prune
// Which of some observations still weigh too little once each is locked: they may have been read meanwhile.
UNWIND $keys AS key
MATCH (n:Observation {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n, n.importance AS importance, n.accessCount AS accesses, n.usedAt AS used
WITH n, importance, {{.Weight}} AS weight
WHERE importance IS NOT NULL AND weight < $minWeight AND NOT importance IN $pinned
RETURN n.key AS key

// name: corrections
UNWIND $keys AS key
MATCH (n:Correction {tenant: $tenant, key: key})
RETURN {{template "annotation"}} AS n

// name: list_corrections
MATCH (n:Correction) USING INDEX SEEK n:Correction(tenant, {{with .Fixed}}{{.}}, {{end}}createdAt, key)
WHERE n.tenant = $tenant{{with .Fixed}} AND n.{{.}} = ${{.}}{{end}} AND n.createdAt >= $since AND n.createdAt <= $until AND n.key IS NOT NULL
{{- if .After}}
  AND CASE n.createdAt WHEN $until THEN n.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(n) AS n
{{- else}}
WITH n ORDER BY n.tenant DESC, {{with .Fixed}}n.{{.}} DESC, {{end}}n.createdAt DESC, n.key LIMIT $limit
RETURN {{template "annotation"}} AS n
ORDER BY n.createdAt DESC, n.key
{{- end}}

// name: correction_stats
// How many corrections there are by topic and importance.
MATCH (c:Correction) USING INDEX SEEK c:Correction(tenant, createdAt, key)
WHERE c.tenant = $tenant AND c.createdAt >= $since AND c.key IS NOT NULL
RETURN c.topic AS topic, c.importance AS importance, count(c) AS n
