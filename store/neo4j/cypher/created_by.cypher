{{- /* The records of a label that have a person in a property. */ -}}
MATCH (n:{{.Label}})
WHERE n.tenant = $tenant AND n.key > '' AND n.{{.By}} = $person
RETURN n.key AS key
