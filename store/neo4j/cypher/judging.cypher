// Judged work: verdicts, the runs and sections that they are of, and the patterns that are learned from these.

// name: create_verdicts
// Creates verdicts, with the runs and the sections that begin with them, and tells what has been waiting for
// any of these. A run began with the earliest of its verdicts, in whatever order they come.
{{template "notice"}}
CALL () {
  UNWIND $rows AS row
  WITH row.run AS key, min(row.at) AS at ORDER BY key
  MERGE (r:Run {tenant: $tenant, key: key}) ON CREATE SET r.startedAt = at
  WITH r, at WHERE at < r.startedAt
  SET r.startedAt = at
}
CALL () {
  UNWIND $rows AS row
  WITH DISTINCT row.section AS key, row.run AS run
  MATCH (r:Run {tenant: $tenant, key: run})
  MERGE (s:Section {tenant: $tenant, key: key}) ON CREATE SET s.run = run
  WITH s, r WHERE s.run = r.key
  MERGE (s)-[link:IN_RUN]->(r) ON CREATE
  SET link.tenant = $tenant, link.from = 'section:' + s.key, link.to = 'run:' + r.key
}
CALL () {
  UNWIND $rows AS row
  MATCH (s:Section {tenant: $tenant, key: row.section})
  CREATE (v:Verdict) SET v = row
  CREATE (v)-[:ON {tenant: $tenant, from: 'verdict:' + v.key, to: 'section:' + s.key}]->(s)
}
{{template "waiting" .}}

// name: verdicts
UNWIND $keys AS key
MATCH (v:Verdict {tenant: $tenant, key: key})
RETURN v AS n

// name: list_verdicts
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{with .Fixed}}{{.}}, {{end}}at, key)
WHERE v.tenant = $tenant{{with .Fixed}} AND v.{{.}} = ${{.}}{{end}} AND v.at >= $since AND v.at <= $until AND v.key IS NOT NULL
  AND ($section IS NULL OR v.section = $section)
  AND ($run IS NULL OR v.run = $run)
  AND ($judge IS NULL OR v.judge = $judge)
  AND ($sectionType IS NULL OR v.sectionType = $sectionType)
  AND (NOT $rejecting OR v.status <> 'APPROVE')
{{- if .After}}
  AND CASE v.at WHEN $until THEN v.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(v) AS n
{{- else}}
RETURN v AS n
ORDER BY v.tenant DESC, {{with .Fixed}}v.{{.}} DESC, {{end}}v.at DESC, v.key LIMIT $limit
{{- end}}

// name: label_verdict
// Notes what a person says of a verdict.
MATCH (v:Verdict {tenant: $tenant, key: $key})
SET v.label = $approve, v.labelledBy = $labelledBy
RETURN v.key AS key

// name: apply_judge_threshold
// Keeps what is applied to a judge, in place of what was.
MERGE (t:JudgeThreshold {tenant: $tenant, key: $key})
SET t.judge = $judge, t.sectionType = $sectionType, t.threshold = $threshold, t.at = $at

// name: judge_thresholds
// What was applied to judges.
UNWIND $judges AS judge
MATCH (t:JudgeThreshold) USING INDEX SEEK t:JudgeThreshold(tenant, judge)
WHERE t.tenant = $tenant AND t.judge = judge
RETURN {{template "threshold"}}

// part: threshold
// What is read of a threshold t.
t.key AS key, t.judge AS judge, t.sectionType AS sectionType, t.threshold AS threshold, t.at AS at

// name: judged_names
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{.}}, at, key)
WHERE v.tenant = $tenant AND v.{{.}} IS NOT NULL AND v.at IS NOT NULL AND v.key IS NOT NULL
RETURN DISTINCT v.{{.}} AS name

// name: judgements
// The judgements that follow a place, oldest first: those of the same time whose keys are greater, and
// those of later times. Either is a stretch of the index, in whose order keys are compared byte by byte.
CALL () {
{{- if .After}}
  MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{with .Fixed}}{{.}}, {{end}}at, key)
  WHERE v.tenant = $tenant{{with .Fixed}} AND v.{{.}} = ${{.}}{{end}} AND v.at = $at AND v.key > $afterKey
  RETURN v ORDER BY v.tenant, {{with .Fixed}}v.{{.}}, {{end}}v.at, v.key LIMIT $limit
  UNION ALL
{{- end}}
  MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{with .Fixed}}{{.}}, {{end}}at, key)
  WHERE v.tenant = $tenant{{with .Fixed}} AND v.{{.}} = ${{.}}{{end}} AND v.at > $at AND v.key IS NOT NULL
  RETURN v ORDER BY v.tenant, {{with .Fixed}}v.{{.}}, {{end}}v.at, v.key LIMIT $limit
}
WITH v ORDER BY v.at, v.key LIMIT $limit
RETURN {{template "judgement"}}
ORDER BY v.at, v.key

// name: judgements_of
// All judgements of sections, or of runs, that are named by their keys.
UNWIND $keys AS key
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{.}}, at, key)
WHERE v.tenant = $tenant AND v.{{.}} = key AND v.at >= $earliest AND v.key IS NOT NULL
RETURN {{template "judgement"}}

// part: judgement
// What a judgement takes of a verdict v.
v { {{- stored "judgement"}}} AS n

// name: runs
UNWIND $keys AS key
MATCH (r:Run {tenant: $tenant, key: key})
RETURN r AS n

// name: list_runs
MATCH (r:Run) USING INDEX SEEK r:Run(tenant, startedAt, key)
WHERE r.tenant = $tenant AND r.startedAt >= $since AND r.startedAt <= $until AND r.key IS NOT NULL
{{- if .After}}
  AND CASE r.startedAt WHEN $until THEN r.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(r) AS n
{{- else}}
RETURN r AS n
ORDER BY r.tenant DESC, r.startedAt DESC, r.key LIMIT $limit
{{- end}}

// name: lock_run
// Locks a run that is to be completed, and tells the sections of one that is. Its verdicts are recorded under the same
// lock.
MATCH (r:Run {tenant: $tenant, key: $key})
SET r.tenant = r.tenant
RETURN CASE WHEN r.completedAt IS NOT NULL THEN COUNT { (r)<-[:IN_RUN]-() } END AS sections

// name: complete_run
// Completes a run, and lets every issue of its types of sections, and of the parts of their contexts, know how many
// sections there were there, those that the run did not have too.
CALL () {
  MATCH (r:Run {tenant: $tenant, key: $key})
  SET r.completedAt = $at
}
CALL () {
  UNWIND $types AS type
  MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, kind, sectionType, contextKey, rate, total, key)
  WHERE p.tenant = $tenant AND p.kind = $issue AND p.sectionType = type.sectionType AND p.contextKey = type.contextKey
    AND p.rate >= 0 AND p.total >= 0 AND p.key IS NOT NULL AND p.total <> type.sections
  WITH p, CASE WHEN p.hits > type.sections THEN p.hits ELSE type.sections END AS total
  SET p.total = total, p.rate = coalesce(toFloatOrNull(p.hits) / total, p.rate)
}

// name: fold_sections
// Counts the sections that are folded into history, by type and part of a context. Whoever has locked a type may change
// the patterns of it.
UNWIND $rows AS row
MERGE (t:SectionType {tenant: $tenant, key: row.key})
  ON CREATE SET t.sections = 0, t.sectionType = row.sectionType, t.context = row.context
SET t.tenant = t.tenant
WITH t, row
SET t.sections = {{template "countable" "t.sections"}} + row.sections
RETURN t.key AS key, t.sections AS sections

// name: fold_patterns
// Writes patterns, links them to the sections that they were learned from, and tells what has been waiting
// for them.
CALL () {
  UNWIND $rows AS row
  MERGE (p:Pattern {tenant: $tenant, key: row.key})
  SET p = row.properties
  WITH p, row
  UNWIND row.sections AS section
  MATCH (s:Section {tenant: $tenant, key: section})
  CREATE (p)-[:LEARNED_FROM {tenant: $tenant, from: 'pattern:' + p.key, to: 'section:' + s.key}]->(s)
}
{{template "waiting" .}}

// name: patterns
UNWIND $keys AS key
MATCH (p:Pattern {tenant: $tenant, key: key})
RETURN p AS n

// name: list_patterns
MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, {{range .Fixed}}{{.}}, {{end}}rate, total, key)
WHERE p.tenant = $tenant{{range .Fixed}} AND p.{{.}} = ${{.}}{{end}} AND p.rate >= $minRate AND p.rate <= $bestRate
  AND p.total >= $minTotal AND p.key IS NOT NULL
  AND ($kind IS NULL OR p.kind = $kind)
  AND ($sectionType IS NULL OR p.sectionType = $sectionType)
  AND ($contextKey IS NULL OR p.contextKey = $contextKey)
{{- if .After}}
  AND CASE p.rate WHEN $bestRate THEN p.total < $afterTotal OR p.total = $afterTotal AND p.key > $afterKey ELSE true END{{end}}
{{- if .Count}}
RETURN count(p) AS n
{{- else}}
RETURN p AS n
ORDER BY p.tenant DESC, {{range .Fixed}}p.{{.}} DESC, {{end}}p.rate DESC, p.total DESC, p.key LIMIT $limit
{{- end}}

// name: candidate_patterns
// The best patterns of each kind in each context, of those that reach what is asked.
UNWIND $bounds AS bound
UNWIND $contexts AS context
CALL (bound, context) {
  MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, kind, sectionType, contextKey, rate, total, key)
  WHERE p.tenant = $tenant AND p.kind = bound.kind AND p.sectionType = $sectionType AND p.contextKey = context
    AND p.rate >= bound.minRate AND p.total >= bound.minTotal AND p.key IS NOT NULL
  RETURN p
  ORDER BY p.tenant DESC, p.kind DESC, p.sectionType DESC, p.contextKey DESC, p.rate DESC, p.total DESC, p.key LIMIT $limit
}
RETURN p AS n

// name: section_types
UNWIND $keys AS key
MATCH (t:SectionType {tenant: $tenant, key: key})
RETURN t AS n
