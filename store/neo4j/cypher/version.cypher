MATCH (s:MnemeSchema {name: $name})
RETURN max(s.version) AS version
