MATCH (n:Memoir|Concept|Episode|Feedback|Observation|Correction) WHERE n.kindToken IS NOT NULL
CALL (n) {
  REMOVE n.kindToken, n.tenantToken, n.idToken
} IN TRANSACTIONS OF 10000 ROWS
