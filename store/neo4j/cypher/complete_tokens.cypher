// Lets searches find records that were made before there were any.
MATCH (n:Episode|Feedback) WHERE n.kindToken IS NULL
CALL (n) {
  SET n.kindToken = $tokens[n.tenant][head(labels(n))]
} IN TRANSACTIONS OF 10000 ROWS
