UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE e.knownAt <= $asOf{{end}}
RETURN {{template "episode.cypher" .}}
