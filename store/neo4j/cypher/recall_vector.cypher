{{- /* The nearest that pass the filter, and the newest that are near at all; similarity is (1 + cosine) / 2.
Neo4j 5 cannot filter within a vector index, so up to $exactLimit episodes are all compared. Beyond that
the index answers for everything it holds, and reach is how far it looked. */ -}}
CALL () {
  OPTIONAL MATCH (t:Tenant {key: $tenant})
  RETURN t.vectorLength AS vectorLength
}
CALL (vectorLength) {
  WITH vectorLength WHERE vectorLength = $vectorLength
  {{template "in_order.cypher" .}}
  WITH e LIMIT $exactLimit + 1
  RETURN count(e) AS eligible
}
CALL (eligible) {
  WITH eligible WHERE 0 < eligible <= $exactLimit
  {{template "in_order.cypher" .}}
  WITH e, vector.similarity.cosine(e[$vectorProperty], $embedding) AS similarity
  WHERE similarity > 0.5
  WITH e, similarity ORDER BY similarity DESC LIMIT $limit
  WITH collect(e) AS nearest, min(similarity) AS reach
  RETURN nearest, CASE WHEN size(nearest) = $limit THEN reach END AS exactReach
}
CALL (eligible) {
  WITH eligible WHERE eligible > $exactLimit
  CALL db.index.vector.queryNodes($vectorIndex, 2 * $limit, $embedding) YIELD node AS e
  WITH e, vector.similarity.cosine(e[$vectorProperty], $embedding) AS similarity
  WITH collect([e, similarity]) AS found, min(similarity) AS reach
  WITH found, CASE WHEN size(found) = 2 * $limit AND reach > 0.5 THEN reach END AS reach
  CALL (found) {
    UNWIND found AS pair
    WITH pair[0] AS e, pair[1] AS similarity
    WHERE similarity > 0.5 AND e.tenant = $tenant AND e.startedAt >= $since AND e.startedAt <= $until
{{- template "filter.cypher" .}}
    RETURN collect(e) AS near
  }
  RETURN collect(near) AS nears, max(reach) AS indexReach
}
WITH *, nearest + coalesce(head(nears), []) AS nearest, coalesce(exactReach, indexReach) AS reach
CALL (reach) {
  WITH reach WHERE reach IS NOT NULL
  {{template "in_order.cypher" .}}
  WITH e ORDER BY {{.Sort}}
  WITH e WHERE vector.similarity.cosine(e[$vectorProperty], $embedding) > 0.5
  LIMIT $limit
  RETURN collect(e) AS recentlyNear
}
WITH *, nearest + recentlyNear AS near
