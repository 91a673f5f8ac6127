{{- /* A number that more can be added to; 0 for what is none, until the doctor counts anew. */ -}}
CASE WHEN {{.}} >= -9007199254740992 AND {{.}} <= 9007199254740992 THEN {{.}} ELSE 0 END
{{- /* */ -}}
