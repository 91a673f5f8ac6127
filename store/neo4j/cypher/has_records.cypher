{{- /* Whether a tenant has anything whose input was hashed. */ -}}
RETURN false {{- range .}} OR EXISTS { MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key) WHERE n.tenant = $tenant AND n.key > '' }{{end}} AS has
