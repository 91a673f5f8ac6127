{{- /* Which keys are those of records, by kind. */ -}}
{{- range $kind, $label := .}}
UNWIND $keys.{{$kind}} AS key
MATCH (n:{{$label}} {tenant: $tenant, key: key})
RETURN '{{$kind}}:' + n.key AS id
UNION ALL
{{- end}}
UNWIND [] AS id
RETURN id
