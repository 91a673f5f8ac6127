{{- /* Locks records of any kind, there or not, as lock.cypher does, and tells which are there: their
ids, and the hashes of their inputs. */ -}}
{{- range $kind, $label := .}}
CALL () {
  UNWIND $keys.{{$kind}} AS key
  MERGE (n:{{$label}} {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone, coalesce(n.inputHash, '') AS hash
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)
  WITH key, known, gone, hash
  RETURN collect(CASE WHEN known THEN ['{{$kind}}:' + key, hash] END) AS {{$kind}}Ends, count(CASE WHEN gone THEN 1 END) AS {{$kind}}Gone
}
{{- end}}
RETURN [] {{- range $kind, $label := .}} + {{$kind}}Ends{{end}} AS ends, 0 {{- range $kind, $label := .}} + {{$kind}}Gone{{end}} AS gone
