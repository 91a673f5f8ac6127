{{template "prunable.cypher" .}}
RETURN count(n) AS n
