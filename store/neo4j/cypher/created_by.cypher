{{- /* The records of a label that a person created. */ -}}
MATCH (n:{{.}})
WHERE n.tenant = $tenant AND n.key > '' AND n.createdBy = $person
RETURN n.key AS key
