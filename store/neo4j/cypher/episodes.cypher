{{if .One -}}
MATCH (e:Episode {tenant: $tenant, key: $key})
{{- else -}}
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
{{- end}}
{{- if .AsOf}}
WHERE e.knownAt <= $asOf{{end}}
RETURN {{template "episode.cypher" .}}
