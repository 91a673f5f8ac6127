{{- /* The first neighbours by one type of link in one direction, as an index has them in order. */ -}}
UNWIND $ids AS id
CALL (id) {
  MATCH ()-[r:{{.Type}}]->() USING INDEX SEEK r:{{.Type}}(tenant, {{.Near}}, {{.Far}})
  WHERE r.tenant = $tenant AND r.{{.Near}} = id AND r.{{.Far}} > $page.after
  RETURN r.{{.Far}} AS neighbour ORDER BY r.tenant, r.{{.Near}}, r.{{.Far}} LIMIT $limit
}
RETURN DISTINCT neighbour ORDER BY neighbour LIMIT $limit
