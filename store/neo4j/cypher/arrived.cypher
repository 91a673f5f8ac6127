{{- /* Whether what a node w stands for is there. */ -}}
CASE w.kind
  WHEN 'session' THEN false
  WHEN 'execution' THEN EXISTS { (x:ExecutionID)<-[:COVERS]-(:Episode) WHERE x.tenant = w.tenant AND x.key = w.key }
{{- range .}}
  WHEN '{{.Awaited}}' THEN EXISTS { (n:{{.Label}}) WHERE n.tenant = w.tenant AND n.key = w.key }
{{- end}}
  ELSE false
END
{{- /* */ -}}
