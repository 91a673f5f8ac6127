{{template "in_order.cypher" .}}
WITH e ORDER BY {{.Sort}} LIMIT $limit
RETURN {{template "episode.cypher" .}}
ORDER BY {{.Sort}}
