{{- /* The exact text scores of the episodes in a list, asked of the index in bites that it can swallow. */ -}}
  UNWIND range(0, size({{.}}) - 1, $bite) AS from
  WITH * WHERE from < size({{.}})
  WITH '+idToken:(' + reduce(ids = '', e IN {{.}}[from..from + $bite] | ids + e.idToken + ' ') + ')^0 ' + $text AS within
  CALL db.index.fulltext.queryNodes('mneme_episode_text', within) YIELD node AS e, score
  WITH e, score WHERE score > 0
{{- /* */ -}}
