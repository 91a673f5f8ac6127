{{- /* What the words of a record n come from, and its words. */ -}}
n {.key, .words, .wordId, .name, .description, .content, .labels, .title, .observation, .result, .insight, .corrections, .topic,
   .prediction, .correction, .context, .memoir, .agent, .session, .taskType, .outcome, .startedAt,
   boostedRight: CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN coalesce(n.boosted = n.words, false) ELSE n.boosted IS NULL END} AS said
{{- /* */ -}}
