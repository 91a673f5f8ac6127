{{- /* The condition for a profile p that does not sum up the executions that are linked with it. */ -}}
NOT coalesce(p.total = COUNT { (p)<-[:OF]-(:Execution) }
  AND toIntegerOrNull(p.total) - size(CASE WHEN p.windowKeys IS :: LIST<ANY> NOT NULL THEN p.windowKeys ELSE [] END) = COUNT { (p)<-[:OF]-(x:Execution) WHERE x.at IS NOT NULL }
  AND size(CASE WHEN p.windowKeys IS :: LIST<ANY> NOT NULL THEN p.windowKeys ELSE [] END) = CASE WHEN toIntegerOrNull(p.total) < 100 THEN p.total ELSE 100 END, false)
{{- /* */ -}}
