// To which episode of a session a time belongs: the one that holds it (the latest started where several
// do), else the latest started before it, else the first.
UNWIND $times AS time
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt <= time.at AND e.key IS NOT NULL
    AND e.endedAt >= time.at
  WITH e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key LIMIT 1
  RETURN collect(e.key) AS holding
}
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt <= time.at AND e.key IS NOT NULL
  WITH e ORDER BY e.tenant DESC, e.session DESC, e.startedAt DESC, e.key LIMIT 1
  RETURN collect(e.key) AS started
}
CALL (time) {
  MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, session, startedAt, key)
  WHERE e.tenant = $tenant AND e.session = time.session AND e.startedAt >= $earliest AND e.key IS NOT NULL
  WITH e ORDER BY e.tenant, e.session, e.startedAt, e.key LIMIT 1
  RETURN collect(e.key) AS first
}
RETURN time.record AS record, head(holding + started + first) AS episode
