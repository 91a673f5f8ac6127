{{- /* What an execution is made of that an episode e is. */ -}}
e.key AS key, e.agent AS agent, e.taskType AS taskType, e.outcome AS outcome, e.quality AS quality, e.startedAt AS startedAt, e.endedAt AS endedAt
{{- /* */ -}}
