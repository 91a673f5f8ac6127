// The episodes to recall in a situation.

// name: recall
// The pool of a recall: the episodes that pass the filter and are near by vector, and of those that match by words the ones
// that promise to rank highest. The index is asked for words, marks and times, never for an order of its own; what it cannot
// filter by is looked up for a bounded number.
{{if .Vector -}}
// The nearest: where few pass the filter, of all of them, else as the vector index has them, or where others' vectors hide the
// tenant's own there, of the newest of these, of a bounded number. And the newest that are near. Each goes on with its
// similarity, since to read a vector again costs more than all else of an episode.
CALL () {
  UNWIND CASE WHEN $all THEN [1] ELSE [] END AS once
  {{template "passing" .}}
  WITH e LIMIT $compared + 1
  WITH e, {{template "similarity"}} AS similarity ORDER BY similarity DESC
  WITH count(*) AS compared, collect(CASE WHEN similarity > 0.5 THEN [e, similarity] END) AS near
  RETURN near[..$limit] AS near, size(near) > $limit OR compared > $compared OR NOT $all AS others, compared > $compared OR NOT $all AS many
}
CALL (many) {
  UNWIND CASE WHEN many THEN [1] ELSE [] END AS once
  CALL db.index.vector.queryNodes($vectorIndex, $neighbours, $embedding) YIELD node, score
  WITH collect(CASE WHEN node.tenant = $tenant AND score > 0.5 THEN node END) AS own, min(score) AS least
  RETURN own, size(own) < $wanted AND least > 0.5 AS hidden
}
CALL (own, hidden) {
  CALL (own, hidden) {
    UNWIND own AS e
    RETURN e
    UNION ALL
    UNWIND CASE WHEN hidden THEN [1] ELSE [] END AS once
    MATCH (e:Episode) USING INDEX SEEK e:Episode({{.Index}})
    WHERE e.tenant = $tenant{{with .Fixed}} AND e.{{.}} = ${{.}}{{end}} AND e.startedAt >= $since AND e.startedAt <= $until AND e.key IS NOT NULL
    WITH e ORDER BY {{.Sort}} LIMIT $mostOwn
    WITH e, {{template "similarity"}} AS similarity WHERE similarity > 0.5
    WITH e ORDER BY similarity DESC LIMIT $neighbours
    RETURN e
  }
  WITH DISTINCT e WHERE e.startedAt >= $since AND e.startedAt <= $until
  {{template "filter" .}}
  LIMIT $limit
  RETURN collect([e, {{template "similarity"}}]) AS indexed
}
CALL () {
  {{template "passing" .}}
  WITH e, {{template "similarity"}} AS similarity WHERE similarity > 0.5
  WITH e, similarity LIMIT $aside
  RETURN collect([e, similarity]) AS newest
}
WITH near + indexed + newest AS near, others
{{- else -}}
WITH [] AS near, false AS others
{{- end}}
{{if .Lexical -}}
// What has any of the words. It is about as good as the words are worth, with its boosts as they are now.
CALL () {
  UNWIND $heads AS head
  CALL (head) {
    CALL db.index.fulltext.queryNodes('mneme_words', head.text, {limit: head.most}) YIELD node, score
    RETURN node AS e, score
  }
  WITH e, max(score) * $worth AS words, e.startedAt AS at
  WHERE {{if .Filtered}}at >= $since AND at <= $until
  {{template "filter" .}}{{else}}at IS :: ZONED DATETIME NOT NULL{{end}}
  WITH e, at, CASE WHEN words < 1 THEN words ELSE 1.0 END AS words, e.aggregates AS counted
  WITH e, at, words, {{template "age_and_counts"}}
  WITH e, at, $semantic * words + {{template "beside_match"}} AS promise
  ORDER BY promise DESC, at DESC LIMIT $promised + 1 // of those that began together with as much promise any: to read all their keys costs more
  WITH collect(e) AS promising
  // Whose they are is asked of few: the words are the tenant's own, and to read it of each costs as much as their times.
  RETURN [e IN promising[..$promised] WHERE e.tenant = $tenant] AS matches, size(promising) > $promised AS further
}
WITH near, matches, others OR further OR $some AS others
{{- else -}}
WITH near, [] AS matches, others
{{- end}}
// Where nothing matches, of the newest those that promise most, though something may be near by what it means, which is looked for at the
// same time. No condition, which the planner would have met after the look.
CALL (matches, near) {
  UNWIND CASE size(matches) + size(near) WHEN 0 THEN [1] ELSE [] END AS once
  {{template "passing" .}}
  WITH e LIMIT $newest + 1
  WITH e, e.startedAt AS at, e.aggregates AS counted
  WITH e, at, {{template "age_and_counts"}}
  WITH e, at, {{template "beside_match"}} AS promise ORDER BY promise DESC, at DESC LIMIT $limit + 1
  RETURN collect(e) AS unmatched
}
CALL (near, matches, unmatched) {
  {{- if .Vector}}
  UNWIND near + [e IN matches + unmatched[..$limit] | [e, null]] AS found
  WITH found[0] AS e, max(found[1]) AS known
  WITH e, coalesce(known, {{template "similarity"}}) AS similarity
  {{- else}}
  UNWIND near + matches + unmatched[..$limit] AS e
  WITH DISTINCT e
  {{- end}}
  {{template "ranked" .}}
}
RETURN others AS more, size(unmatched) AS unmatched, keys, times, aggregates, bags{{if .Meant}}, codes{{end}}{{if .Vector}}, similarities{{end}}

// part: age_and_counts
// What an episode is weighed by beside its match: how old it is, and its aggregates.
$now - at.epochMillis AS age, CASE WHEN counted IS :: POINT NOT NULL THEN counted END AS counted

// part: beside_match
// What an episode totals in the ranking beside its match, with its boosts as they are now.
$temporal * CASE WHEN age > 0 THEN 0.5 ^ (age / $halfLife) ELSE 1.0 END
      + CASE WHEN counted.x > 0 THEN $canvasBoost ELSE 0.0 END
      + CASE WHEN counted.y > 0 THEN $positiveBoost WHEN counted.y < 0 THEN -$negativePenalty ELSE 0.0 END

// part: ranked
// What the ranking needs to know of episodes e.
WITH e{{if .Vector}}, similarity{{end}} WHERE e.startedAt IS :: ZONED DATETIME NOT NULL AND e.key IS NOT NULL
WITH e{{if .Vector}}, similarity{{end}}, {{if .AsOf}}e { {{template "aggregates" .}} }{{else}}e{{end}} AS counted
RETURN collect(e.key) AS keys, collect(e.startedAt.epochMillis) AS times, collect(coalesce(counted.aggregates, 0)) AS aggregates, collect(coalesce(e.bag, '')) AS bags
  {{- if .Meant}},
  collect(coalesce(e.codes, '')) AS codes{{end}}
  {{- if .Vector}},
  collect(coalesce(similarity, -1.0)) AS similarities{{end}}

// name: recall_near
// Episodes that may be near by what they mean, and pass the filter.
{{template "nearby"}}
WITH DISTINCT n AS e WHERE e.tenant = $tenant AND e.key IS NOT NULL AND e.startedAt >= $since AND e.startedAt <= $until
{{template "filter" .}}
RETURN {{template "known_as" "e"}}, collect(coalesce(e.codes, '')) AS codes

// name: recall_of
// What the ranking needs to know of episodes that are near by what they mean.
CALL () { // no label and no tenant before they are found, or the planner may look through all of the tenant's for each
  UNWIND $near AS id
  MATCH (e) WHERE elementId(e) = id
  RETURN e
}
WITH e WHERE e:Episode AND e.tenant = $tenant
{{template "ranked" .}}

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
// How near the vector of an episode e is, which is read once; null where it has none that can be compared.
head([v IN [e[$vectorProperty]] WHERE v IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(v) = size($embedding) | vector.similarity.cosine(v, $embedding)])

// name: sample
// The last words of some records of a kind, evenly chosen: the first of the steps that finds enough, else the last. And how many
// nodes of the kind all tenants have, and of all kinds that the index holds, which the store knows without looking.
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
CALL () {
  MATCH (n:{{.Label}}) RETURN count(n) AS everywhere
}
{{- range .Searched}}
CALL () {
  MATCH (n:{{.}}) RETURN count(n) AS of{{.}}
}
{{- end}}
RETURN everywhere, {{range $i, $label := .Searched}}{{if $i}} + {{end}}of{{$label}}{{end}} AS indexed, found[0] AS step, [e IN found[1] WHERE e.tenant = $tenant | right(e.words, $bytes)] AS texts
