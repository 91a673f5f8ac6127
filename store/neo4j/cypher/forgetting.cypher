// Deleting records, agents and what people said, for good.

// name: add_tombstones
// Leaves tombstones.
UNWIND $rows AS key
MERGE (:Tombstone {tenant: $tenant, key: key})

// name: tombstones
// Those of tombstones that are there.
UNWIND $keys AS key
MATCH (t:Tombstone {tenant: $tenant, key: key})
RETURN key

// name: exhume
// Takes tombstones away.
UNWIND $keys AS key
MATCH (t:Tombstone {tenant: $tenant, key: key})
DELETE t

// name: lock_tombstones
// Locks tombstones, there or not, as the statement lock does, and tells those that are there.
UNWIND $keys AS key
{{template "hold" "Tombstone"}}
{{template "let_go" .}}
RETURN collect(CASE WHEN known THEN key END) AS keys, count(CASE WHEN gone THEN 1 END) AS gone

// name: belongings
// What belongs to episodes, whom they are for, the sessions that any of it is in, and their executions with the profiles that count these.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
RETURN COLLECT { MATCH (e)-[:FOR]->(p:Person) RETURN p.key } AS people,
       COLLECT { MATCH (e)-[:COVERS]->(x:ExecutionID) RETURN x.key } AS names,
       COLLECT { MATCH (e)-[:PRESENTED]->(c:Canvas) RETURN c.key } AS canvases,
       COLLECT { MATCH (e)<-[:FROM]-(x:Execution) RETURN x.key } AS executions,
       COLLECT { MATCH (e)<-[:FROM]-(x:Execution) RETURN x.profile } AS profiles,
       COLLECT {
         MATCH (e)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (e)-[:PRESENTED]->(:Canvas)-[:IN_SESSION]->(s:Session) RETURN s.key
         UNION
         MATCH (e)-[:RECEIVED]->(:Feedback)-[:IN_SESSION]->(s:Session) RETURN s.key
       } AS sessions

// name: delete_episodes
// Deletes episodes with what only they own. Feedback of other episodes on its canvases stays and waits
// for those again; names of executions and waits that nobody uses any more go too.
UNWIND $keys AS key
MATCH (e:Episode {tenant: $tenant, key: key})
CALL (e) {
  MATCH (e)-[:PRESENTED]->(c:Canvas)<-[on:ON]-(f:Feedback)
  WHERE NOT EXISTS { (e)-[:RECEIVED]->(f) }
  DELETE on
  SET f.canvas = null
  MERGE (w:Waiting {tenant: $tenant, kind: 'canvas', key: c.key})
  CREATE (f)-[:WAITS_FOR]->(w)
}
CALL (e) {
  OPTIONAL MATCH (e)-[:PRESENTED]->(c:Canvas)
  RETURN collect(c) AS canvases
}
CALL (e) {
  OPTIONAL MATCH (e)-[:RECEIVED]->(f:Feedback)
  RETURN collect(f) AS feedback
}
CALL (e) {
  OPTIONAL MATCH (e)-[:COVERS]->(x:ExecutionID)
  RETURN collect(x) AS executions
}
CALL (e) {
  OPTIONAL MATCH (e)-[:FOR]->(p:Person)
  RETURN collect(p.key) AS people
}
WITH [e] + canvases + feedback AS deleted, [c IN canvases | c.key] AS canvases, [f IN feedback | f.key] AS feedback, executions, people,
     EXISTS { (e)<-[:FROM]-(:Execution) } AS counted
{{template "held_by" .}}
{{template "drop_passages" "deleted"}}
FOREACH (n IN deleted | DETACH DELETE n)
WITH executions, people, waits, sessions, counted, canvases, feedback
CALL (executions) {
  UNWIND executions AS x
  WITH x WHERE NOT EXISTS { (x)<-[:COVERS]-() }
  DELETE x
}
RETURN waits, sessions, people, counted, canvases, feedback

// part: held_by
// What records that are about to be deleted waited for, and which sessions they were in.
CALL (deleted) {
  UNWIND deleted AS n
  MATCH (n)-[:WAITS_FOR]->(w:Waiting)
  RETURN collect(DISTINCT {kind: w.kind, key: w.key}) AS waits
}
CALL (deleted) {
  UNWIND deleted AS n
  MATCH (n)-[:IN_SESSION]->(s:Session)
  RETURN collect(DISTINCT s.key) AS sessions
}

// name: count_links
// How many links and entries of logs records have; links between two of them count twice.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
RETURN coalesce(sum(COUNT { (n)--() } + coalesce(toIntegerOrNull(n.logEvents), 0)), 0) AS n

// name: loosen
// Deletes some links of records that are about to be deleted, of the types of which nothing is counted or kept elsewhere,
// and some of the logs of episodes.
UNWIND $keys AS key
CALL (key) {
  MATCH (:{{.Label}} {tenant: $tenant, key: key})-[r:{{.Link}}]-(other)
  RETURN r, CASE WHEN other:Passage THEN other END AS beside
  {{- if eq .Label "Episode"}}
  UNION ALL
  MATCH (v:LogEvent) USING INDEX SEEK v:LogEvent(tenant, episode, sequence)
  WHERE v.tenant = $tenant AND v.episode = key AND v.sequence IS NOT NULL
  RETURN null AS r, v AS beside
  {{- end}}
}
WITH DISTINCT r, beside LIMIT $limit
DELETE r, beside
RETURN count(*) AS n

// name: delete_records
// Deletes records of a label and tells what they waited for and which sessions they were in. What was deleted while we
// waited for its lock has no properties any more.
UNWIND $keys AS key
MATCH (n:{{.}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL
WITH collect(DISTINCT n) AS deleted
{{template "held_by" .}}
{{template "drop_passages" "deleted"}}
FOREACH (n IN deleted | DETACH DELETE n)
RETURN size(deleted) AS count, waits, sessions

// name: verdicts_said
// Where verdicts stand, and which issues they name.
UNWIND $keys AS key
MATCH (v:Verdict {tenant: $tenant, key: key})
RETURN v.run AS run, v.section AS section, v.sectionType AS sectionType, v.at AS at, v.issues AS issues

// name: some_verdicts
// The verdicts of a section, or of a run.
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, {{.}}, at, key)
WHERE v.tenant = $tenant AND v.{{.}} = $of AND v.at >= $earliest AND v.key IS NOT NULL
RETURN v.key AS key

// name: unsay
// Takes messages of issues out of patterns. Whoever has locked a type may change the patterns of it.
UNWIND $rows AS row
MATCH (t:SectionType {tenant: $tenant, key: row.sectionType})
SET t.tenant = t.tenant
WITH row
MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, kind, sectionType, contextKey, rate, total, key)
WHERE p.tenant = $tenant AND p.kind = $issue AND p.sectionType = row.sectionType AND p.contextKey IS NOT NULL AND p.rate IS NOT NULL
  AND p.total IS NOT NULL AND p.key IS NOT NULL AND p.issueCode = row.code AND p.saidAt = row.at
SET p.description = p.issueCode, p.saidAt = null

// name: said_by
// The records of a label that have a person in a property.
MATCH (n:{{.Label}})
WHERE n.tenant = $tenant AND n.key > '' AND n.{{.By}} = $of
RETURN n.key AS key ORDER BY key

// name: unlabel
// Takes back the labels that a person gave to verdicts.
UNWIND $keys AS key
MATCH (v:Verdict {tenant: $tenant, key: key})
WHERE v.labelledBy = $person
SET v.label = null, v.labelledBy = null
RETURN count(v) AS labels

// name: forget_name
// Takes an agent's name away.
MATCH (a:Agent {tenant: $tenant, key: $key})
SET a.name = a.key
RETURN a.key AS key

// name: idle
// Locks records, which nothing can join then, and tells those that have nothing.
UNWIND $keys AS key
MATCH (n:{{.Label}} {tenant: $tenant, key: key})
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL // not deleted while we waited for the lock
  AND NOT EXISTS { (n)-[:{{.Link}}]-() }
RETURN n.key AS key

// name: held
// What canvases or feedback count in their episodes, and their sessions; locked or not.
UNWIND $keys AS key
MATCH (n:{{.Label}} {tenant: $tenant, key: key})
{{- if .Lock}}
SET n.tenant = n.tenant
WITH n WHERE n.tenant IS NOT NULL{{end}}
RETURN n.key AS key, n.episode AS episode, n.session AS session, n.score AS score, n.replacedAt IS NULL AS counts,
       size(CASE WHEN n.actionKinds IS :: LIST<ANY> NOT NULL THEN n.actionKinds ELSE [] END) AS actions

// name: agent_episodes
// The episodes of an agent, the first over first: to take executions out of a profile in this order does not touch its window
// until the end.
MATCH (:Agent {tenant: $tenant, key: $of})-[:RAN]->(e:Episode)
RETURN e.key AS key ORDER BY coalesce(e.endedAt, e.startedAt), key

// name: agent_executions
// The executions of an agent that are no episodes, first those that are archived, by their time.
MATCH (:Agent {tenant: $tenant, key: $of})<-[:OF]-(:LearningProfile)<-[:OF]-(x:Execution)
WHERE NOT x.key STARTS WITH 'episode:'
RETURN x.key AS key ORDER BY x.at, key

// name: agent_consolidated
// The observations whose keys begin so.
MATCH (o:Observation)
WHERE o.tenant = $tenant AND o.key STARTS WITH $of
RETURN o.key AS key ORDER BY key
