{{if .Agents}}UNWIND $agents AS agent
{{end -}}
MATCH (a:Agent)
WHERE a.tenant = $tenant AND a.key {{if .Agents}}= agent{{else}}> ''{{end}}
{{- if .AsOf}}
  AND EXISTS {
    MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, agent, startedAt, key)
    WHERE e.tenant = $tenant AND e.agent = a.key AND e.startedAt <= $asOf AND e.key IS NOT NULL AND e.knownAt <= $asOf
  }
RETURN a.key AS agent, [] AS tasks
{{- else}}
RETURN a.key AS agent, COLLECT {
  MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile(tenant, agent, taskType)
  WHERE p.tenant = $tenant AND p.agent = a.key AND p.taskType >= ''
  RETURN p {.taskType, .total, .successful, .qualityBillionths, .latencyMicros, .timed, .countersSeal}
} AS tasks
{{- end}}
