{{- /* The pool of a recall: short heads of the episodes that pass the filter. The index is asked for words, marks
and times, never for an order of its own; what it cannot filter by is looked up for a bounded number. */ -}}
{{if .Lexical -}}
// The best matches, of which those count that pass the filter.
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $words, {limit: $reach}) YIELD node AS e, score
  WITH collect({e: e, score: score}) AS sought
  RETURN [row IN sought WHERE row.e.tenant = $tenant{{if .AsOf}} AND row.e.knownAt <= $asOf{{end}}] AS looked, size(sought) = $reach AS cut
}
{{if .Filtered -}}
CALL (looked) {
  UNWIND looked AS row
  WITH row.e AS e, row.score AS score WHERE e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  LIMIT $limit + 1
  RETURN collect({e: e, score: score}) AS passing
}
// Where too few of these passed, those that the index finds with the filter.
CALL (cut, passing) {
  WITH passing WHERE cut AND size(passing) <= $limit
  CALL db.index.fulltext.queryNodes('mneme_words', $within, {limit: $scan}) YIELD node AS e, score
  WITH collect({e: e, score: score}) AS found
  CALL (found) {
    UNWIND found AS row
    WITH row.e AS e, row.score AS score WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
    LIMIT $limit + 1
    RETURN collect({e: e, score: score}) AS narrowed
  }
  RETURN collect({rows: narrowed, cut: size(found) = $scan}) AS again
}
WITH looked, CASE WHEN cut AND size(passing) <= $limit THEN head(again) ELSE {rows: passing, cut: false} END AS found
WITH looked, found.rows AS matches, found.cut AS cut
{{- else -}}
WITH looked, looked AS matches, cut
{{- end}}
WITH head(looked) AS best, matches[..$limit] AS matches, size(matches) > $limit OR cut OR $partial AS more
CALL (more) {
  WITH more WHERE more
  CALL db.index.fulltext.queryNodes('mneme_words', $recent, {limit: $window}) YIELD node AS e, score
  WITH e, score WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  WITH collect({e: e, score: score}) AS recent
  CALL (recent) {
    UNWIND recent AS row
    WITH row ORDER BY row.e.startedAt DESC, row.e.key LIMIT $aside
    RETURN collect(row) AS latest
  }
  RETURN collect(latest + recent[..$aside]) AS recent
}
CALL (more) {
  WITH more WHERE more AND $boosted IS NOT NULL
  CALL db.index.fulltext.queryNodes('mneme_words', $boosted, {limit: $window}) YIELD node AS e
  WITH e WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  LIMIT $aside
  RETURN collect(e) AS boosted
}
WITH best, matches, more, coalesce(head(recent), []) AS recent, boosted
{{- else -}}
WITH null AS best, [] AS matches, false AS more, [] AS recent, [] AS boosted
{{- end}}
// The newest that pass the filter: with a vector, to be compared with it; without, where nothing matches.
CALL (matches) {
  WITH matches {{if not .Vector}}WHERE size(matches) = 0{{end}}
{{- if .Marked}}
  CALL db.index.fulltext.queryNodes('mneme_words', $marks, {limit: $look}) YIELD node AS e
  WITH e WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  WITH e ORDER BY e.startedAt DESC, e.key LIMIT $compared + 1
{{- else}}
  MATCH (e:Episode) USING INDEX e:Episode({{.Index}})
  WHERE e.tenant = $tenant{{with .Fixed}} AND e.{{.}} = ${{.}}{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
  WITH e ORDER BY {{.Sort}} LIMIT $look
  WITH e WHERE e.startedAt <= $until
{{- template "filter.cypher" .}}
  LIMIT $compared + 1
{{- end}}
  RETURN collect(e) AS scanned
}
{{if .Vector -}}
CALL (scanned) {
  UNWIND scanned AS e
  WITH e, CASE WHEN e[$vectorProperty] IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(e[$vectorProperty]) = size($embedding) THEN vector.similarity.cosine(e[$vectorProperty], $embedding) END AS similarity WHERE similarity > 0.5
  WITH e, similarity ORDER BY e.startedAt DESC, e.key
  WITH collect({e: e, similarity: similarity}) AS near
  CALL (near) {
    UNWIND near AS row
    WITH row ORDER BY row.similarity DESC LIMIT $limit
    RETURN collect(row.e) AS nearest
  }
  RETURN nearest, [row IN near[..$limit] | row.e] AS newest, size(near) > $limit AS others
}
CALL (scanned) {
  WITH scanned WHERE size(scanned) > $compared OR NOT $all
  CALL db.index.vector.queryNodes($vectorIndex, $neighbours, $embedding) YIELD node AS e, score
  WITH e WHERE score > 0.5 AND e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
  LIMIT $limit
  RETURN collect(e) AS indexed
}
WITH best, matches, more OR others OR size(scanned) > $compared OR NOT $all AS more, recent, boosted, scanned, nearest + indexed AS near, newest
{{- else -}}
WITH best, matches, more, recent, boosted, scanned, [] AS near, [] AS newest
{{- end}}
{{if .Lexical -}}
// What was found otherwise may match by words as well.
CALL (matches, more, boosted, near, newest) {
  WITH [e IN boosted + near + newest | e.wordId] AS ids WHERE more AND size(ids) > 0
  UNWIND range(0, size(ids) - 1, $bite) AS start
  WITH '+' + $words + ' +words:(' + reduce(text = '', id IN ids[start..start + $bite] | text + '"' + id + '" ') + ')^0' AS text
  CALL db.index.fulltext.queryNodes('mneme_words', text) YIELD node AS e, score
  RETURN collect({e: e, score: score}) AS scored
}
{{- else -}}
WITH *, [] AS scored
{{- end}}
WITH *, matches + recent + scored + [e IN near + newest + CASE WHEN size(matches) + size(near) = 0 THEN scanned[..$limit] ELSE [] END | {e: e, score: 0.0}] AS found,
  more OR size(matches) + size(near) = 0 AND size(scanned) > $limit AS more
CALL (found) {
  UNWIND found AS row
  WITH row.e AS e, max(row.score) AS score WHERE e.startedAt IS :: ZONED DATETIME NOT NULL
  WITH e, score, e { {{template "aggregates.cypher" .}} } AS counted
  RETURN collect(e.key) AS keys, collect(e.startedAt) AS times, collect(toFloat(score)) AS scores,
    collect({{if .Vector}}coalesce(CASE WHEN e[$vectorProperty] IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(e[$vectorProperty]) = size($embedding) THEN vector.similarity.cosine(e[$vectorProperty], $embedding) END, 0.5){{else}}0.5{{end}}) AS similarities,
    collect(coalesce(toIntegerOrNull(counted.canvasActionCount), 0)) AS actions, collect(coalesce(toFloatOrNull(counted.feedbackSum), 0.0)) AS sums, collect(coalesce(toIntegerOrNull(counted.feedbackCount), 0)) AS counts
}
RETURN toFloat(best.score) AS bestScore, [best.e.title, best.e.observation, best.e.result, best.e.insight] AS bestTexts,
  keys, times, scores, similarities, actions, sums, counts, more
