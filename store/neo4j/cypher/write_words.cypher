UNWIND $rows AS row
MATCH (n:{{.}} {tenant: $tenant, key: row.key})
SET n.words = row.words, n.wordId = row.wordId
{{- if eq . "Episode"}}
SET n.boosted = CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN n.words END{{end}}
