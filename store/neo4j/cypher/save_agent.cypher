// Names an agent and tells what has been waiting for it.
CALL () {
  MERGE (a:Agent {tenant: $tenant, key: $key})
  SET a.name = $name
}
{{template "waiting.cypher" .}}
