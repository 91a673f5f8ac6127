// The episodes to recall in a situation.

// name: recall
// The pool of a recall: short heads of the episodes that pass the filter. The index is asked for words, marks
// and times, never for an order of its own; what it cannot filter by is looked up for a bounded number. What is
// sorted comes first, because each row that is sorted counts all that the query has gathered by then.
{{if .Vector -}}
// The nearest: where few pass the filter, of all of them, else as the vector index has them. And the newest that are near.
CALL () {
  UNWIND CASE WHEN $all THEN [1] ELSE [] END AS once
  {{template "passing" .}}
  WITH e LIMIT $compared + 1
  WITH e, {{template "similarity"}} AS similarity ORDER BY similarity DESC
  WITH count(*) AS compared, collect(CASE WHEN similarity > 0.5 THEN e END) AS near
  RETURN near[..$limit] AS near, size(near) > $limit OR compared > $compared OR NOT $all AS others, compared > $compared OR NOT $all AS many
}
CALL (many) {
  UNWIND CASE WHEN many THEN [1] ELSE [] END AS once
  CALL db.index.vector.queryNodes($vectorIndex, $neighbours, $embedding) YIELD node AS e, score
  WITH e WHERE score > 0.5 AND e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
  LIMIT $limit
  RETURN collect(e) AS indexed
}
CALL () {
  {{template "passing" .}}
  AND {{template "similarity"}} > 0.5
  WITH e LIMIT $aside
  RETURN collect(e) AS newest
}
WITH near + indexed AS near, newest, others
{{- else -}}
WITH [] AS near, [] AS newest, false AS others
{{- end}}
{{if .Lexical -}}
// The best matches, of which those count that pass the filter.
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $words, {limit: $reach}) YIELD node AS e, score
  WITH collect({e: e, score: score}) AS sought
  RETURN {{if .Filtered}}sought{{else}}[row IN sought WHERE row.e.tenant = $tenant]{{end}} AS looked, size(sought) = $reach AS cut,
    head([row IN sought[..$foremost] WHERE row.e.tenant = $tenant{{if .AsOf}} AND row.e.knownAt <= $asOf{{end}}]) AS best
}
{{if .Filtered -}}
CALL (looked) {
  UNWIND looked AS row
  WITH row.e AS e, row.score AS score WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
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
    {{template "filter" .}}
    LIMIT $limit + 1
    RETURN collect({e: e, score: score}) AS narrowed
  }
  RETURN collect({rows: narrowed, cut: size(found) = $scan}) AS again
}
WITH *, CASE WHEN cut AND size(passing) <= $limit THEN head(again) ELSE {rows: passing, cut: false} END AS found
WITH near, newest, others, best, found.rows AS matches, found.cut AS cut
{{- else -}}
WITH near, newest, others, best, looked AS matches, cut
{{- end}}
WITH near, newest, best, matches[..$limit] AS matches, others OR size(matches) > $limit OR cut OR $partial AS more
// Beside the best, the newest that match; where there are many episodes, those of a number of the newest that rank
// highest, by their boosts as they are now.
CALL (more, best) {
  WITH more WHERE more
  CALL db.index.fulltext.queryNodes('mneme_words', $recent, {limit: $window}) YIELD node AS e, score
  WITH e, score WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
  WITH e, score ORDER BY CASE WHEN $newestFirst THEN e.startedAt.epochMillis
    ELSE $semantic * score / best.score + $temporal * 0.5 ^ (($now - e.startedAt.epochMillis) / $halfLife)
      + CASE WHEN e.canvasActionCount > 0 THEN $canvasBoost ELSE 0.0 END
      + CASE WHEN e.feedbackSum > 0 THEN $positiveBoost WHEN e.feedbackSum < 0 THEN -$negativePenalty ELSE 0.0 END END DESC, e.key LIMIT $aside
  RETURN collect({e: e, score: score}) AS recent
}
// And the best of those that rank higher for their canvases or feedback, unless enough of them are among the best.
CALL (more, matches) {
  UNWIND CASE WHEN more AND $boosted IS NOT NULL
    AND size([row IN matches WHERE row.e.canvasActionCount > 0 OR row.e.feedbackSum > 0]) * 2 < $aside THEN [1] ELSE [] END AS once
  CALL db.index.fulltext.queryNodes('mneme_words', $boosted, {limit: $window}) YIELD node AS e
  WITH e WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
  LIMIT $aside
  RETURN collect(e) AS boosted
}
// What was found otherwise may match by words as well.
CALL (more, boosted, near, newest) {
  WITH [e IN boosted + near + newest | e.wordId] AS ids WHERE more AND size(ids) > 0
  UNWIND range(0, size(ids) - 1, $batch) AS start
  WITH '+' + $words + ' +words:(' + reduce(text = '', id IN ids[start..start + $batch] | text + '"' + id + '" ') + ')^0' AS text
  CALL db.index.fulltext.queryNodes('mneme_words', text) YIELD node AS e, score
  RETURN collect({e: e, score: score}) AS scored
}
WITH near, newest, best, more, matches + recent + scored AS matches
{{- else -}}
WITH near, newest, null AS best, others AS more, [] AS matches
{{- end}}
// Where nothing matches, the newest. No condition, which the planner would have met after the look.
CALL (matches, near) {
  UNWIND CASE size(matches) + size(near) WHEN 0 THEN [1] ELSE [] END AS once
  {{template "passing" .}}
  WITH e LIMIT $limit + 1
  RETURN collect({e: e, score: 0.0}) AS unmatched
}
WITH best, more OR size(unmatched) > $limit AS more, matches + [e IN near + newest | {e: e, score: 0.0}] + unmatched[..$limit] AS found
CALL (found) {
  UNWIND found AS row
  WITH row.e AS e, max(row.score) AS score WHERE e.startedAt IS :: ZONED DATETIME NOT NULL
  WITH e, score, {{if .AsOf}}e { {{template "aggregates" .}} }{{else}}e{{end}} AS counted
  RETURN collect(e.key) AS keys, collect(e.startedAt.epochMillis) AS times, collect(toFloat(score)) AS scores,
    collect({{if .Vector}}coalesce({{template "similarity"}}, 0.5){{else}}0.5{{end}}) AS similarities,
    collect(coalesce(counted.aggregates, 0)) AS aggregates
}
RETURN toFloat(best.score) AS bestScore, [best.e.title, best.e.observation, best.e.result, best.e.insight] AS bestTexts,
  keys, times, scores, similarities, aggregates, more

// part: passing
// The newest episodes e that pass the filter, of a bounded number that is looked at.
{{if .Marked}}
  CALL db.index.fulltext.queryNodes('mneme_words', $marks, {limit: $look}) YIELD node AS e
  WITH e WHERE e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
  WITH e ORDER BY e.startedAt DESC, e.key WHERE e.startedAt <= $until
{{- else}}
  MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
  WHERE e.tenant = $tenant{{with .Fixed}} AND e.{{.}} = ${{.}}{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
  WITH e ORDER BY {{.Sort}} LIMIT $look
  WITH e WHERE e.startedAt <= $until
  {{template "filter" .}}
{{- end}}

// part: similarity
// How near the vector of an episode e is; null where it has none that can be compared.
CASE WHEN e[$vectorProperty] IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(e[$vectorProperty]) = size($embedding)
    THEN vector.similarity.cosine(e[$vectorProperty], $embedding) END

// name: sample
// The words of some episodes, evenly chosen: the first of the steps that finds enough, else the last.
CALL () {
  CALL db.index.fulltext.queryNodes('mneme_words', $steps[0], {limit: $most}) YIELD node AS e
  RETURN collect(e) AS first
}
CALL (first) {
  WITH first WHERE size(first) < $enough
  CALL db.index.fulltext.queryNodes('mneme_words', $steps[1], {limit: $most}) YIELD node AS e
  RETURN collect(e) AS second
}
CALL (first, second) {
  WITH first, second WHERE size(first) < $enough AND size(second) < $enough
  CALL db.index.fulltext.queryNodes('mneme_words', $steps[2], {limit: $most}) YIELD node AS e
  RETURN collect(e) AS third
}
WITH CASE WHEN size(first) >= $enough THEN [0, first] WHEN size(second) >= $enough THEN [1, second] ELSE [2, third] END AS found
RETURN found[0] AS step, [e IN found[1] WHERE e.tenant = $tenant | left(e.words, $bytes)] AS texts
