// The keys of the observations that weigh too little, in their order: that in which they are locked.
{{template "weighed.cypher" .}}
WHERE weight < $minWeight AND NOT importance IN $pinned
RETURN key ORDER BY key
