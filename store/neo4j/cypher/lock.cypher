// Locks what a write decides upon and tells what is known of it. The kinds come in one order for every
// write, and the caller sorts the keys, so that writers seldom wait for one another in a circle. What is
// not there is locked too: MERGE makes a placeholder, which is deleted again, and its key stays locked
// until the transaction ends. What went away while we waited for its lock is counted as gone.
// Last come the hashes of records with the keys of new ones.
CALL () {
  UNWIND $sessions AS key
  MERGE (n:Session {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)
  WITH key, gone
  OPTIONAL MATCH (w:Waiting {tenant: $tenant, kind: 'session', key: key})
  RETURN collect(CASE WHEN w IS NOT NULL THEN key END) AS pending, count(CASE WHEN gone THEN 1 END) AS sessionsGone
}
CALL () {
  UNWIND $executions AS key
  MERGE (n:ExecutionID {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)
  WITH key, gone
  OPTIONAL MATCH (e:Episode)-[:COVERS]->(:ExecutionID {tenant: $tenant, key: key})
  WITH key, gone, e ORDER BY e.startedAt DESC, e.key DESC
  RETURN collect([key, e.key]) AS executions, count(CASE WHEN gone THEN 1 END) AS executionsGone
}
CALL () {
  UNWIND $canvases AS key
  MERGE (n:Canvas {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)
  WITH n, known, gone
  RETURN collect(CASE WHEN known AND NOT gone THEN n END) AS canvases, count(CASE WHEN gone THEN 1 END) AS canvasesGone
}
CALL () {
  UNWIND $episodes AS key
  MERGE (n:Episode {tenant: $tenant, key: key}) ON CREATE SET n.placeholder = true
  SET n.tenant = n.tenant
  WITH key, n, n.placeholder IS NULL AS known, n.tenant IS NULL AS gone
  FOREACH (placeholder IN CASE WHEN known THEN [] ELSE [n] END | DELETE placeholder)
  WITH key, known, gone
  RETURN collect(CASE WHEN known THEN key END) AS episodes, count(CASE WHEN gone THEN 1 END) AS episodesGone
}
CALL () {
  MATCH (n:Episode) WHERE n.tenant = $tenant AND n.key IN $newEpisodes
  RETURN collect([n.key, n.inputHash]) AS episodeHashes
}
CALL () {
  MATCH (n:Feedback) WHERE n.tenant = $tenant AND n.key IN $newFeedback
  RETURN collect([n.key, n.inputHash]) AS feedbackHashes
}
RETURN episodeHashes + feedbackHashes AS hashes, pending, executions, canvases, episodes,
       sessionsGone + executionsGone + canvasesGone + episodesGone AS gone
