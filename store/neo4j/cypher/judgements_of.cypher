{{- /* All judgements of sections, or of runs, that are named by their keys. */ -}}
UNWIND $keys AS key
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{.}}, at, key)
WHERE v.tenant = $tenant AND v.{{.}} = key AND v.at >= $earliest AND v.key IS NOT NULL
RETURN {{template "judgement.cypher"}}
