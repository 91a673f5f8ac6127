// Gives links of a type that were made before there were such properties the ids of their ends.
MATCH (a)-[r:{{.}}]->(b) WHERE r.from IS NULL
CALL (a, r, b) {
  SET r.tenant = a.tenant, r.from = $kinds[head(labels(a))] + ':' + a.key, r.to = $kinds[head(labels(b))] + ':' + b.key
} IN TRANSACTIONS OF 10000 ROWS
