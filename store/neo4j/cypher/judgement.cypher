v {.key, .run, .section, .sectionType, .context, .judge, .status, .score, .iteration, .issues, .patterns, .label, .labelledBy, .at} AS judgement
{{- /* */ -}}
