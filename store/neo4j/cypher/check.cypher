MATCH (s:MnemeSchema {name: $name})
SET s.version = s.version
RETURN s.version AS version
