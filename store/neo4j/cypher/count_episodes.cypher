{{template "in_order.cypher" .}}
RETURN count(e) AS n
