{{- /* The nearest of those that pass the filter, and the newest that are near at all. Similarity is
(1 + cosine) / 2. Neo4j 5 cannot filter within a vector index, so up to $exactLimit episodes are compared one
by one. Beyond that the index answers, for all that it holds, and reach is how far it looked. */ -}}
CALL (scanned) {
  OPTIONAL MATCH (t:Tenant {key: $tenant})
  WITH scanned, t.vectorLength AS vectorLength
  UNWIND CASE WHEN vectorLength = $vectorLength AND size(scanned) <= $exactLimit THEN scanned ELSE [null] END AS e
  WITH vectorLength, e, vector.similarity.cosine(e[$vectorProperty], $embedding) AS similarity
  RETURN max(vectorLength) AS vectorLength, collect(CASE WHEN similarity > 0.5 THEN {e: e, similarity: similarity} END) AS near
}
CALL (near) {
  UNWIND near AS row
  WITH row.e AS e, row.similarity AS similarity ORDER BY similarity DESC LIMIT $limit
  WITH collect(e) AS nearest, min(similarity) AS reach
  RETURN nearest, CASE WHEN size(nearest) = $limit THEN reach END AS reach
}
{{- if .Approximate}}
CALL (scanned) {
  WITH scanned WHERE size(scanned) > $exactLimit
  CALL db.index.vector.queryNodes($vectorIndex, 2 * $limit, $embedding) YIELD node AS e
  WITH e, vector.similarity.cosine(e[$vectorProperty], $embedding) AS similarity
  WITH min(similarity) AS indexReach, collect(CASE WHEN similarity > 0.5 AND e.tenant = $tenant
    AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}} THEN e END) AS indexed, count(e) AS found
  RETURN indexed, CASE WHEN found = 2 * $limit AND indexReach > 0.5 THEN indexReach END AS indexReach
}
CALL (scanned) {
  UNWIND CASE WHEN size(scanned) > $exactLimit THEN scanned ELSE [] END AS e
  WITH e, vector.similarity.cosine(e[$vectorProperty], $embedding) AS similarity
  WHERE similarity > 0.5
  LIMIT $limit
  RETURN collect({e: e}) AS newestIndexed
}
WITH *, nearest + indexed AS allNear, coalesce(reach, indexReach) AS allReach, near + newestIndexed AS newestNear
{{- else}}
WITH *, nearest AS allNear, reach AS allReach, near AS newestNear
{{- end}}
WITH best, matches, scanned, recent, vectorLength, allNear AS nearest, allReach AS reach, [row IN newestNear[..$limit] | row.e] AS recentlyNear
