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
