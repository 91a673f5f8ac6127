// Memoirs, their concepts, and the relations between these.

// name: create_memoirs
// Creates memoirs and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  CREATE (n:Memoir) SET n = row
}
CALL () {
  {{template "keep_passages" "Memoir"}}
}
{{template "waiting" .}}

// name: taken_memoir_names
// Which names of memoirs are taken.
UNWIND $titles AS title
MATCH (m:Memoir {tenant: $tenant, name: title.name})
RETURN m.name AS name

// name: memoirs
UNWIND $keys AS key
MATCH (m:Memoir {tenant: $tenant, key: key})
RETURN m AS n

// name: list_memoirs
MATCH (m:Memoir) USING INDEX SEEK m:Memoir(tenant, name)
WHERE m.tenant = $tenant AND {{if .Fixed}}m.name = $name{{else}}m.name >= $after{{end}}{{if .After}} AND m.name <> $after{{end}}
{{- if .Count}}
RETURN count(m) AS n
{{- else}}
RETURN m AS n
ORDER BY m.tenant, m.name LIMIT $limit
{{- end}}

// name: create_concepts
// Creates concepts in their memoirs and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memoir {tenant: $tenant, key: row.memoir})
  CREATE (n:Concept) SET n = row
  CREATE (m)-[:CONTAINS {tenant: $tenant, from: 'memoir:' + m.key, to: 'concept:' + n.key}]->(n)
}
CALL () {
  {{template "keep_passages" "Concept"}}
}
{{template "waiting" .}}

// name: taken_concept_names
// Which names of concepts are taken.
UNWIND $titles AS title
MATCH (c:Concept {tenant: $tenant, memoir: title.memoir, name: title.name})
RETURN c.memoir AS memoir, c.name AS name

// name: locked_concept
MATCH (c:Concept {tenant: $tenant, key: $key})
SET c.tenant = c.tenant
RETURN c AS n, {{template "kept" "c"}} AS passages

// name: set_concept
// Changes a concept that is locked.
CALL () {
  MATCH (c:Concept {tenant: $tenant, key: $key})
  SET c += $properties
}
{{template "change_passages" "Concept"}}

// name: concepts
UNWIND $keys AS key
MATCH (c:Concept {tenant: $tenant, key: key})
RETURN c AS n

// name: list_concepts
MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, memoir, name)
WHERE c.tenant = $tenant AND c.memoir = $memoir AND c.name >= $after{{if .After}} AND c.name <> $after{{end}}
{{- if .Count}}
RETURN count(c) AS n
{{- else}}
RETURN c AS n
ORDER BY c.tenant, c.memoir, c.name LIMIT $limit
{{- end}}

// name: some_concepts
// The concepts of a memoir.
MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, memoir, name)
WHERE c.tenant = $tenant AND c.memoir = $of AND c.name >= ''
RETURN c.key AS key

// name: link_concepts
// Links concepts, once: the lock on the source makes whoever comes second see the link. Not by MERGE: where a type has
// no links yet, its properties are looked for through the whole index.
UNWIND $links AS link
WITH link.source AS from, link.target AS to, collect(link.place) AS places, head(collect(link.at)) AS at ORDER BY from, to
MATCH (source:Concept {tenant: $tenant, key: from}) USING INDEX SEEK source:Concept(tenant, key)
SET source.tenant = source.tenant
WITH source, to, places, at
MATCH (target:Concept {tenant: $tenant, key: to}) USING INDEX SEEK target:Concept(tenant, key)
OPTIONAL MATCH (source)-[old:{{.}}]->(target)
FOREACH (_ IN CASE WHEN old IS NULL THEN [source] ELSE [] END |
  CREATE (source)-[:{{.}} {tenant: $tenant, from: 'concept:' + source.key, to: 'concept:' + target.key, createdAt: at}]->(target))
RETURN places, coalesce(old.createdAt, at) AS at, old IS NOT NULL AS known

// name: unlink_concepts
MATCH (source:Concept {tenant: $tenant, key: $source})
SET source.tenant = source.tenant
WITH source
MATCH (target:Concept {tenant: $tenant, key: $target}) USING INDEX SEEK target:Concept(tenant, key)
MATCH (source)-[r:{{.}}]->(target)
DELETE r
RETURN count(r) AS removed

// name: relations
// The first relations of concepts, of the types and in the directions that are asked for.
UNWIND $keys AS key
MATCH (n:Concept {tenant: $tenant, key: key})
CALL (n, key) {
  WITH n, 'concept:' + key AS id
  MATCH (n)-[r:{{.}}]-()
  WHERE r.from = id AND type(r) IN $out OR r.to = id AND type(r) IN $in
  WITH type(r) AS type, r.from AS source, r.to AS target, r.createdAt AS at
  RETURN type, source, target, at ORDER BY type, source, target LIMIT $limit
}
RETURN key AS of, type, source, target, at ORDER BY of, type, source, target
