{{if .Agents}}UNWIND $agents AS agent
{{end}}
{{- if .TaskTypes}}UNWIND $taskTypes AS taskType
{{end -}}
MATCH (p:LearningProfile) USING INDEX p:LearningProfile({{.Index}})
WHERE p.tenant = $tenant
  AND p.agent {{if .Agents}}= agent{{else if .TaskTypes}}IS NOT NULL{{else}}>= ''{{end}}
  AND p.taskType {{if .TaskTypes}}= taskType{{else}}IS NOT NULL{{end}}
{{- if .AsOf}}
CALL (p) { // archived, but not known then
  WITH p WHERE p.lastUpdated > $asOf
  MATCH (x:Execution) USING INDEX x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = p.key AND x.at > $asOf AND x.key IS NOT NULL
  RETURN count(x) AS laterTotal, count(CASE WHEN x.success THEN 1 END) AS laterSuccessful,
         sum(x.qualityBillionths) AS laterBillionths, sum(x.latencyMicros) AS laterMicros, count(x.latencyMicros) AS laterTimed
}
CALL (p) { // archived, but perhaps in the window then
  WITH p WHERE p.lastUpdated > $asOf
  MATCH (x:Execution) USING INDEX x:Execution(tenant, profile, at, key)
  WHERE x.tenant = $tenant AND x.profile = p.key AND x.at <= $asOf AND x.key IS NOT NULL
  WITH x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC LIMIT $windowSize
  RETURN collect(x) AS archive
}
{{- end}}
RETURN p.agent AS agent, p.taskType AS taskType, p.total AS total, p.successful AS successful,
       p.qualityBillionths AS qualityBillionths, p.latencyMicros AS latencyMicros, p.timed AS timed,
       p.windowAt AS windowAt, p.windowQuality AS windowQuality
{{- if .Whole}}, p.windowKeys AS windowKeys, p.windowSuccess AS windowSuccess, p.windowLatencyMs AS windowLatencyMs{{end}}
{{- if .AsOf}}, laterTotal, laterSuccessful, laterBillionths, laterMicros, laterTimed, archive{{end}}
