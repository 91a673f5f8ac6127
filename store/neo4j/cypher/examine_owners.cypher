// Counts the records of a kind that are not linked with what a property of theirs names, and of how many that
// is there.
MATCH (n:{{.Label}}) WHERE {{.Missing}}
RETURN n.tenant AS tenant, count(*) AS faults,
  sum(CASE WHEN EXISTS { (o:{{.OwnerLabel}}) WHERE o.tenant = n.tenant AND o.key = n.{{.Property}} } THEN 1 ELSE 0 END) AS mendable
