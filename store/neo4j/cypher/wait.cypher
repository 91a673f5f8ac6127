// Lets records wait for others that are not there.
{{- range .}}
CALL () {
  UNWIND $waits.{{.}} AS row
  MATCH (n:{{.}} {tenant: $tenant, key: row.key})
  MERGE (w:Waiting {tenant: $tenant, kind: row.kind, key: row.awaited})
  SET w.tenant = w.tenant
  CREATE (n)-[:WAITS_FOR]->(w)
}
{{- end}}
