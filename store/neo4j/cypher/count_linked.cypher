UNWIND $keys AS key
MATCH (from:Episode {tenant: $tenant, key: key})
{{- if .AsOf}}
WHERE from.knownAt <= $asOf{{end}}
RETURN from.key AS origin, COUNT { {{- if eq .Near "from"}} (from)-[:CAUSED_BY]->({{else}} (from)<-[:CAUSED_BY]-({{end}}{{if .AsOf}}e:Episode WHERE e.knownAt <= $asOf{{end}}) } AS count
