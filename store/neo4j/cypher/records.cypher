{{- /* The nodes n of the records of the keys in $keys, by kind, with their global ids. */ -}}
CALL () {
{{- range $kind, $label := .}}
  UNWIND $keys.{{$kind}} AS key
  MATCH (n:{{$label}} {tenant: $tenant, key: key})
  RETURN n, '{{$kind}}:' + key AS id
  UNION ALL
{{- end}}
  UNWIND [] AS n
  RETURN n, '' AS id
}
{{- /* */ -}}
