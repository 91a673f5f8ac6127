{{template "weighed.cypher" .}}
WHERE weight < $minWeight AND NOT importance IN $pinned
RETURN count(n) AS n
