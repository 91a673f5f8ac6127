// Backups: what is handed over as it is stored, and brought back. The rest comes back as it is recorded.

// name: export
// A page of the records of a label by key, with the ids of what each names, and of what it waits for to name.
MATCH (n:{{label .Kind}})
WHERE n.tenant = $tenant AND n.key > $after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN n, n.key AS after
{{- range .Named}}, COLLECT {
    MATCH (n)-[r:{{.Link}}]->()
    RETURN r.to AS id
    UNION ALL
    MATCH (n)-[:WAITS_FOR]->(w:Waiting) {{- with .Waits}} WHERE w.kind = '{{.}}' {{- end}}
    RETURN {{with .Are}}'{{.}}'{{else}}replace(w.kind, ' itself', ''){{end}} + ':' + w.key AS id
  } AS {{.Link}}{{end}}

// name: export_feedback
// A page of the feedback by key.
MATCH (n:Feedback)
WHERE n.tenant = $tenant AND n.key > $after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN {{template "feedback_item_of" .}}, n.key AS after

// name: export_relations
// A page of the relations of a type between concepts, as an index has them in order.
MATCH ()-[r:{{.}}]->() USING INDEX SEEK r:{{.}}(tenant, from, to)
WHERE r.tenant = $tenant AND r.from >= $afterSource AND r.from < 'concept;' AND r.to > ''
  AND CASE r.from WHEN $afterSource THEN r.to > $afterTarget ELSE true END
WITH r ORDER BY r.tenant, r.from, r.to LIMIT $limit
RETURN r.from AS afterSource, r.to AS afterTarget, r.createdAt AS at

// name: export_executions
// A page of the executions that are no episodes, or of the others, by key.
MATCH (x:Execution)
WHERE x.tenant = $tenant AND x.key > $after AND {{.}} x.key STARTS WITH 'episode:'
RETURN x AS n, x.key AS after ORDER BY x.tenant, x.key LIMIT $limit

// name: export_events
// A page of the events of logs that came in parts, with the hash of their episode.
MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
WHERE v.tenant = $tenant AND v.episode >= $afterEpisode AND v.sequence IS NOT NULL
  AND CASE v.episode WHEN $afterEpisode THEN v.sequence > $afterSequence ELSE true END
MATCH (e:Episode {tenant: $tenant, key: v.episode}) USING INDEX SEEK e:Episode(tenant, key)
RETURN v.episode AS afterEpisode, v.sequence AS afterSequence, v.sequence AS sequence, v.type AS type, v.data AS data, v.at AS at,
  e.inputHash AS inputHash ORDER BY v.tenant, v.episode, v.sequence LIMIT $limit

// name: export_spans
// A page of the spans that are held, by trace and key, and whether their trace is an episode already.
MATCH (s:HeldSpan) USING INDEX SEEK s:HeldSpan(tenant, trace, key)
WHERE s.tenant = $tenant AND s.trace >= $afterTrace AND s.key IS NOT NULL
  AND CASE s.trace WHEN $afterTrace THEN s.key > $afterKey ELSE true END
WITH s ORDER BY s.tenant, s.trace, s.key LIMIT $limit
RETURN s.trace AS afterTrace, s.key AS afterKey, s.data AS data, s.arrivedAt AS arrivedAt,
  EXISTS { MATCH (:Episode {tenant: $tenant, key: s.trace}) } AS recorded

// name: restore_runs
// Writes runs with the times that they had, and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  MERGE (r:Run {tenant: $tenant, key: row.key})
  SET r.startedAt = row.startedAt, r.completedAt = row.completedAt
}
{{template "waiting" .}}

// name: restore_section_types
// Brings types of sections back that are not there.
UNWIND $rows AS row
MERGE (t:SectionType {tenant: $tenant, key: row.key})
ON CREATE SET t.sections = row.sections, t.sectionType = row.sectionType, t.context = row.context

// name: restore_judge_thresholds
// Brings back what was applied to judges, unless what is there is as late.
UNWIND $rows AS row
MERGE (t:JudgeThreshold {tenant: $tenant, key: row.key})
WITH t, row WHERE t.at IS NULL OR t.at < row.at
SET t.judge = row.judge, t.sectionType = row.sectionType, t.threshold = row.threshold, t.at = row.at
