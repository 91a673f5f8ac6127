// The search in all that has text, and the words under which its index finds records.

// name: count_having
// What is counted of kinds, how many of their records have a word, and how many nodes labels have, in all tenants, which the
// store knows without looking.
{{template "counts"}}
{{- range .}}
CALL () {
  MATCH (n:{{.}}) RETURN count(n) AS of{{.}}
}
{{- end}}
RETURN kinds, records, lengths, counts, [{{range $i, $label := .}}{{if $i}}, {{end}}of{{$label}}{{end}}] AS everywhere

// part: counts
// What is counted of kinds, and how many of their records have a word: of a word that very many have about how many, by
// a part of all.
CALL () {
  MATCH (c:WordCount) USING INDEX SEEK c:WordCount(tenant, kind, shard)
  WHERE c.tenant = $tenant AND c.kind IN $kinds AND c.shard IS NOT NULL
  WITH c.kind AS kind, sum({{template "countable" "c.records"}}) AS records, sum({{template "countable" "c.length"}}) AS length
  RETURN collect(kind) AS kinds, collect(records) AS records, collect(length) AS lengths
}
CALL () {
  UNWIND range(0, size($texts) - 1) AS i
  CALL (i) {
    CALL db.index.fulltext.queryNodes('mneme_words', $texts[i], {limit: $most}) YIELD node
    RETURN count(*) AS having
  }
  CALL (i, having) {
    UNWIND CASE WHEN having < $most THEN [] ELSE [1] END AS once
    CALL db.index.fulltext.queryNodes('mneme_words', '+' + $texts[i] + ' +' + $part, {limit: $most}) YIELD node
    RETURN count(*) AS part
  }
  WITH i, CASE WHEN having < $most OR part * $times < $most THEN having ELSE toInteger(part * $times) END AS having ORDER BY i
  RETURN collect(having) AS counts
}

// name: search
// The words of the records that are the best of all kinds as the index has them, each by itself.
UNWIND $heads AS head
CALL (head) {
  CALL db.index.fulltext.queryNodes('mneme_words', head.text, {limit: head.most}) YIELD node, score
  RETURN node AS n, score
}
WITH n, score WHERE {{template "fits" .}}
WITH n ORDER BY score DESC LIMIT $most
RETURN {{template "known_as" "n"}}, collect(coalesce(n.bag, '')) AS bags

// name: said_of
// What lifts records beside their words: when they are of, who opens them, and what they mean. Of some their words are read, too.
CALL () {
  UNWIND $ids AS id
  MATCH (n) WHERE elementId(n) = id
  RETURN n, '' AS bag
  UNION ALL
  UNWIND $unread AS id
  MATCH (n) WHERE elementId(n) = id
  RETURN n, n.bag AS bag
}
WITH n, bag, CASE WHEN n:Episode THEN n.startedAt ELSE n.createdAt END AS at
WHERE n.tenant = $tenant AND n.key IS NOT NULL
RETURN {{template "known_as" "n"}}, collect(coalesce(bag, '')) AS bags,
  collect(CASE WHEN at IS :: ZONED DATETIME NOT NULL THEN at.epochMillis ELSE '' END) AS times,
  collect(coalesce(CASE WHEN $compare THEN n.codes END, '')) AS codes, collect(coalesce(CASE WHEN n:Episode THEN n.agent END, '')) AS agents,
  collect(coalesce(CASE WHEN n:Episode THEN {{template "opening" "n.observation"}} WHEN n:Observation THEN {{template "opening" "n.content"}} END, '')) AS openings

// name: search_turns
// The observations that have any of the words, and which.
{{template "having" .}}
AND n.createdAt IS :: ZONED DATETIME NOT NULL
RETURN collect(n.key) AS keys, collect(coalesce(n.session, '')) AS sessions, collect(n.createdAt.epochMillis) AS times, collect(has) AS has

// name: turns_around
// What stands around observations in their sessions, with themselves.
UNWIND $keys AS key
MATCH (o:Observation {tenant: $tenant, key: key})
CALL (o) {
  CALL (o) {
    RETURN o AS n
    UNION ALL
    MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, session, createdAt, key)
    WHERE n.tenant = $tenant AND n.session = o.session AND n.createdAt <= o.createdAt AND n.key IS NOT NULL
      AND CASE n.createdAt WHEN o.createdAt THEN n.key < o.key ELSE true END
    WITH n ORDER BY n.tenant DESC, n.session DESC, n.createdAt DESC, n.key DESC LIMIT $beside
    RETURN n
    UNION ALL
    MATCH (n:Observation) USING INDEX SEEK n:Observation(tenant, session, createdAt, key)
    WHERE n.tenant = $tenant AND n.session = o.session AND n.createdAt >= o.createdAt AND n.key IS NOT NULL
      AND CASE n.createdAt WHEN o.createdAt THEN n.key > o.key ELSE true END
    WITH n ORDER BY n.tenant, n.session, n.createdAt, n.key LIMIT $beside
    RETURN n
  }
  RETURN collect(n.key) AS keys, collect(n.createdAt) AS times, collect(CASE WHEN n.bag IS :: STRING NOT NULL THEN n.bag ELSE '' END) AS bags,
    collect(CASE WHEN $compare THEN coalesce(n.codes, '') ELSE '' END) AS codes,
    collect(coalesce({{template "opening" "n.content"}}, '')) AS openings
}
RETURN o.key AS middle, keys, times, bags, codes, openings

// part: having
// The records n that have any of the words, with what these add up to, and pass the filters. The index applies those; what is
// looked at again are only marks that may stand for another value.
UNWIND range(0, size($asked) - 1) AS i
CALL (i) {
  CALL db.index.fulltext.queryNodes('mneme_words', $asked[i].text, {limit: $asked[i].most}) YIELD node
  RETURN node AS n
}
WITH n, sum($asked[i].bit) AS has
WHERE {{template "fits" .}}

// name: search_near
// Records that may be near by what they mean, and pass the filters.
{{template "nearby"}}
WITH DISTINCT n WHERE {{template "fits" .}}
RETURN {{template "known_as" "n"}}, collect(coalesce(n.codes, '')) AS codes

// part: known_as
// The keys, kinds and ids of records.
collect({{.}}.key) AS keys, collect(head(labels({{.}}))) AS labels, collect(elementId({{.}})) AS ids

// part: nearby
// The records n of few, and what the indexes of vectors have nearest. These are of all tenants: where others' hide the tenant's
// own, all of the tenant's are compared, of a bounded number.
CALL () {
  UNWIND $few AS text
  CALL (text) {
    CALL db.index.fulltext.queryNodes('mneme_words', text, {limit: $compared}) YIELD node
    RETURN node AS n
  }
  WITH n WHERE n.codes IS NOT NULL
  RETURN n
  UNION ALL
  UNWIND $indexes AS index
  CALL (index) {
    CALL db.index.vector.queryNodes(index.name, index.neighbours, $vector) YIELD node, score
    WITH collect(CASE WHEN node.tenant = $tenant THEN node END) AS own, min(score) AS least
    RETURN own, size(own) < $wanted AND least > $leastScore AS hidden
  }
  CALL (index, own, hidden) {
    UNWIND own AS n
    RETURN n
    UNION ALL
    UNWIND CASE WHEN hidden THEN index.own ELSE [] END AS text
    CALL (text) {
      CALL db.index.fulltext.queryNodes('mneme_words', text, {limit: $mostOwn}) YIELD node
      RETURN node AS n
    }
    WITH n WHERE n.tenant = $tenant AND n.meant IS :: LIST<FLOAT NOT NULL> NOT NULL AND size(n.meant) = size($vector)
    WITH n ORDER BY vector.similarity.cosine(n.meant, $vector) DESC LIMIT $kept
    RETURN n
  }
  WITH n WHERE n.codes IS NOT NULL
  RETURN n
}

// part: fits
// Whether a record n is the tenant's and passes a search's filters.
n.tenant = $tenant AND n.key IS NOT NULL
  AND ($memoir IS NULL OR n.memoir = $memoir)
  AND all(label IN $labels WHERE label IN n.labels)
  AND ($session IS NULL OR n.session = $session)
  AND ($topic IS NULL OR n.topic = $topic)
  {{- with .Weight}}
  AND {{.}} >= $minWeight{{end}}

// part: opening
// How a text begins.
CASE WHEN {{.}} IS :: STRING NOT NULL THEN left({{.}}, $opening) END

// name: said
// The next records of a kind, by key.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > $page.after
WITH n ORDER BY n.tenant, n.key LIMIT $limit
RETURN {{template "what_is_said"}}

// name: lock_said
// Locks records of a kind and tells what their words come from.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
RETURN {{template "what_is_said"}}

// part: what_is_said
// What the words of a record n come from, and its words.
n {.key, .words, .wordId, .bag, .bagLength, .codes, .meant, .meaningDue, .name, .description, .content, .labels, .title, .observation, .result, .insight, .corrections, .comment, .topic,
   .prediction, .correction, .context, .memoir, .agent, .session, .taskType, .outcome, .startedAt, .createdAt, .replacedAt,
   boostedRight: CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN coalesce(n.boosted = n.words, false) ELSE n.boosted IS NULL END} AS said

// name: write_words
// Gives records the words that they should have, and counts what changes.
UNWIND $rows AS row
MATCH (n:{{.Label}} {tenant: $tenant, key: row.key})
WITH n, row, {{template "countable" "n.bagLength"}} AS was
SET n.words = row.words, n.wordId = row.wordId, n.bag = row.bag, n.bagLength = row.bagLength, n.codes = null, n.meant = null, n.meaningDue = true
{{- if eq .Label "Episode"}}
SET n.boosted = CASE WHEN n.canvasActionCount > 0 OR n.feedbackSum > 0 THEN n.words END{{end}}
WITH sum({{template "records_more"}}) AS records, sum(coalesce(n.bagLength, 0) - was) AS length
WITH [{kind: '{{.Kind}}', records: records, length: length}] AS counted
{{template "count_words" "counted"}}

// part: keep_vectors
// Writes vectors of nodes that are there as the indexes take them, in half as many bytes as SET does. They come apart from the
// rows of properties: each step of a plan that waits for all rows would hold a vector in a row once more.
UNWIND $vectors AS vector
MATCH (n:{{.}} {tenant: $tenant, key: vector.key})
CALL db.create.setNodeVectorProperty(n, vector.property, vector.numbers)

// name: count_due
// Counts the records of a kind of which vectors are due.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, meaningDue, key)
WHERE n.tenant = $tenant AND n.meaningDue = true AND n.key IS NOT NULL
RETURN count(n) AS n

// name: due
// The next of those, by key.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, meaningDue, key)
WHERE n.tenant = $tenant AND n.meaningDue = true AND n.key > $page.after
RETURN n.key AS key ORDER BY n.tenant, n.meaningDue, n.key LIMIT $limit

// name: lock_due
// Locks records of which vectors may be due, and tells what those are made of.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL AND n.meaningDue = true
RETURN {{template "what_is_said"}}

// name: set_meanings
// Keeps what records mean.
UNWIND $rows AS row
MATCH (n:{{.}} {tenant: $tenant, key: row.key})
SET n.codes = row.codes, n.meant = null, n.meaningDue = row.meaningDue
WITH count(n) AS kept
{{template "keep_vectors" .}}

// part: records_more
// Whether one more record n has words than before, when they were so many; or one less.
CASE WHEN n.bagLength > 0 THEN 1 ELSE 0 END - CASE WHEN was > 0 THEN 1 ELSE 0 END

// part: less_words
// What records in a list that go take from the counts of their kind.
records: -size([n IN {{.}} WHERE n.bagLength > 0]), length: -reduce(sum = 0, n IN {{.}} | sum + coalesce(toIntegerOrNull(n.bagLength), 0))

// part: count_words
// Adds to what is counted of the records of a kind that have words: how many there are, and how long their bags are
// together. Each transaction counts in one of several counters, so that writers seldom wait for one another.
FOREACH (added IN [one IN {{.}} WHERE one.records <> 0 OR one.length <> 0] |
  MERGE (counter:WordCount {tenant: $tenant, kind: added.kind, shard: $shard})
  SET counter.records = {{template "countable" "counter.records"}} + added.records,
      counter.length = {{template "countable" "counter.length"}} + added.length)

// name: word_counts
// What is counted of the kinds.
MATCH (c:WordCount) USING INDEX SEEK c:WordCount(tenant, kind, shard)
WHERE c.tenant = $tenant AND c.kind IN $kinds AND c.shard IS NOT NULL
RETURN c.kind AS kind, sum({{template "countable" "c.records"}}) AS records, sum({{template "countable" "c.length"}}) AS length

// name: word_sums
// What there is to be counted of a kind.
MATCH (n:{{.}}) USING INDEX SEEK n:{{.}}(tenant, key)
WHERE n.tenant = $tenant AND n.key > '' AND n.bagLength > 0 AND n.bagLength <= 9007199254740992
RETURN count(n) AS records, sum(n.bagLength) AS length

// name: recount_words
// Counts anew: whoever changes a record counts in one of the counters before it commits, and these are locked first.
UNWIND range(0, $shards - 1) AS shard
MERGE (c:WordCount {tenant: $tenant, kind: '{{.Kind}}', shard: shard})
SET c.records = 0, c.length = 0
WITH collect(c) AS counters
CALL () {
  MATCH (n:{{.Label}}) USING INDEX SEEK n:{{.Label}}(tenant, key)
  WHERE n.tenant = $tenant AND n.key > '' AND n.bagLength > 0 AND n.bagLength <= 9007199254740992
  RETURN count(n) AS records, sum(n.bagLength) AS length
}
WITH counters[0] AS first, records, length
SET first.records = records, first.length = length
