// Creates memoirs and tells what has been waiting for them.
CALL () {
  UNWIND $rows AS row
  CREATE (m:Memoir) SET m = row
}
{{template "waiting.cypher" .}}
