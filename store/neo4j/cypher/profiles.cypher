{{if .Agents}}UNWIND $agents AS agent
{{end}}
{{- if .TaskTypes}}UNWIND $taskTypes AS taskType
{{end -}}
MATCH (p:LearningProfile) USING INDEX SEEK p:LearningProfile({{.Index}})
WHERE p.tenant = $tenant
  AND p.agent {{if .Agents}}= agent{{else if .TaskTypes}}IS NOT NULL{{else}}>= ''{{end}}
  AND p.taskType {{if .TaskTypes}}= taskType{{else}}IS NOT NULL{{end}}
WITH p, p {.agent, .taskType, .total, .successful, .qualityBillionths, .latencyMicros, .timed, .windowAt, .windowQuality, .countersSeal, .seal
{{- if .Whole}}, .windowKeys, .windowSuccess, .windowLatencyMs, .wholeSeal{{end}}} AS profile
{{- if .AsOf}}
CALL (p) { // archived, but not known then
  WITH p WHERE p.lastUpdated > $asOf
  MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = p.key AND x.at > $asOf AND x.key IS NOT NULL
  RETURN {total: count(x), successful: count(CASE WHEN x.success THEN 1 END), qualityBillionths: sum(x.qualityBillionths),
          latencyMicros: sum(x.latencyMicros), timed: count(x.latencyMicros)} AS later
}
CALL (p) { // archived, but perhaps in the window then
  WITH p WHERE p.lastUpdated > $asOf
  MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = p.key AND x.at <= $asOf AND x.key IS NOT NULL
  WITH x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC LIMIT $windowSize
  RETURN collect(x) AS archive
}
MATCH (now:LearningProfile {tenant: $tenant, key: p.key})
{{- end}}
RETURN profile{{if .AsOf}}, later, archive, now.wholeSeal AS seal{{end}}
