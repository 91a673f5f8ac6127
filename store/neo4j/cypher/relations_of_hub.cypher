{{- /* The first relations of a concept by one type in one direction, as an index has them in order. */ -}}
MATCH ()-[r:{{.Type}}]->() USING INDEX SEEK r:{{.Type}}(tenant, {{.Near}}, {{.Far}})
WHERE r.tenant = $tenant AND r.{{.Near}} = $of.id AND r.{{.Far}} > ''
WITH r ORDER BY r.tenant, r.{{.Near}}, r.{{.Far}} LIMIT $limit
RETURN $of.id AS id, type(r) AS type, r.from AS source, r.to AS target, r.createdAt AS at
