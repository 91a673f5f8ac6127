MERGE (s:MnemeSchema {name: $name})
SET s.version = $version
