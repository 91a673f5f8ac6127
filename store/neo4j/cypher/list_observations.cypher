{{if and .LatestFirst (not .Count)}}{{template "latest_observations.cypher" .}}{{else}}{{template "weighed.cypher" .}}{{end}}
WHERE weight >= {{if .MinWeight}}$minWeight{{else}}0{{end}}
{{- if .MaxWeight}} AND weight <= $maxWeight{{end}}
{{- if and .After (not .LatestFirst)}}
  AND (weight {{if .LightestFirst}}>{{else}}<{{end}} $afterWeight OR weight = $afterWeight
    AND (created < $afterAt OR created = $afterAt AND key > $afterKey)){{end}}
{{- if .Count}}
RETURN count(n) AS n
{{- else if .LatestFirst}}
WITH n, created, key LIMIT $limit
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
ORDER BY created DESC, key
{{- else}}
WITH n, weight, created, key ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, created DESC, key LIMIT $limit
RETURN n, COLLECT { MATCH (n)-[r:ABOUT]->() RETURN r.to ORDER BY r.to } AS about
ORDER BY weight{{if not .LightestFirst}} DESC{{end}}, created DESC, key
{{- end}}
