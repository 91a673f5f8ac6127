{{template "records.cypher" .}}
RETURN id
