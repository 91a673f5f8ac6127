// Links the records of a kind with what a property of theirs names.
MATCH (n:{{.Label}} {tenant: $tenant}) WHERE {{.Missing}}
MATCH (o:{{.OwnerLabel}} {tenant: $tenant, key: n.{{.Property}}})
CALL (n, o) {
  CREATE {{.Pattern}}
} IN TRANSACTIONS OF 10000 ROWS
