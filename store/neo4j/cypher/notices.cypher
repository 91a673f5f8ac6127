// Notices: that records were written. One is made in each statement that makes records, and tells of all of them, without a
// number, so that no writer waits for another; numbers, one for each record, it gets after that was committed. Its own is
// that of its last record. Its records are those of its kind that have the marks from its own on.

// part: notice
// Tells of the records that the statement makes.
CALL () {
  WITH $notice AS notice WHERE notice.records > 0
  CREATE (n:Notice {tenant: $tenant, kind: notice.kind, mark: notice.mark, records: notice.records, waiting: true, at: datetime.realtime('UTC')})
}

// name: notice_state
// The number that was given last, and whether there are notices that wait for theirs.
OPTIONAL MATCH (l:NoticeLog {tenant: $tenant})
WITH coalesce(l.latest, 0) AS latest
CALL () {
  MATCH (n:Notice) USING INDEX SEEK n:Notice(tenant, waiting, at)
  WHERE n.tenant = $tenant AND n.waiting = true AND n.at IS NOT NULL
  WITH n LIMIT 1
  RETURN count(n) > 0 AS waiting
}
RETURN latest, waiting

// name: number_notices
// Numbers the notices that wait, in the order in which they were written, and tells the latest number and how many there
// were. Who numbers holds the lock on the log until that is committed: others wait, and find it done.
MERGE (l:NoticeLog {tenant: $tenant}) ON CREATE SET l.latest = 0, l.trimmed = 0
SET l.tenant = l.tenant
WITH l
CALL () {
  MATCH (n:Notice) USING INDEX SEEK n:Notice(tenant, waiting, at)
  WHERE n.tenant = $tenant AND n.waiting = true AND n.at IS NOT NULL
  WITH n ORDER BY n.tenant, n.waiting, n.at LIMIT $limit
  RETURN collect(n) AS waiting
}
FOREACH (n IN waiting | SET l.latest = l.latest + n.records SET n.number = l.latest, n.waiting = null)
RETURN l.latest AS latest, size(waiting) AS numbered

// name: notices
// The notices after a number, and between which numbers there are any.
OPTIONAL MATCH (l:NoticeLog {tenant: $tenant})
WITH coalesce(l.trimmed, 0) AS trimmed, coalesce(l.latest, 0) AS latest
CALL () {
  MATCH (n:Notice) USING INDEX SEEK n:Notice(tenant, number)
  WHERE n.tenant = $tenant AND n.number > $after
  WITH n ORDER BY n.tenant, n.number LIMIT $limit
  WITH n, n.mark - n.number + n.records - 1 AS offset // from the number of a record to its mark
  CALL (n, offset) {
    {{- range $i, $label := .}}
    {{- if $i}}
    UNION ALL
    {{- end}}
    WITH n, offset WHERE n.kind = '{{$label.Kind}}'
    MATCH (r:{{$label.Name}}) USING INDEX SEEK r:{{$label.Name}}(tenant, notice)
    WHERE r.tenant = $tenant AND r.notice >= n.mark AND r.notice < n.mark + n.records AND r.notice > $after + offset
    WITH r, offset ORDER BY r.notice LIMIT $limit
    RETURN collect({number: r.notice - offset, key: r.key, profile: r.profile, taskType: r.taskType, episode: r.episode, judge: r.judge, run: r.run,
      sectionType: r.sectionType, bytes: r.noticeBytes,
      agent: {{if eq $label.Name "Feedback"}}head([(r)<-[:RECEIVED]-(e:Episode) | e.agent]){{else}}r.agent{{end}}}) AS told
    {{- end}}
  }
  WITH n, told ORDER BY n.number
  RETURN collect({number: n.number, records: n.records, kind: n.kind, told: told}) AS notices
}
RETURN trimmed, latest, notices

// name: trim_notices
// Forgets the oldest that were written before an instant, and tells how many those were.
MATCH (l:NoticeLog {tenant: $tenant})
SET l.tenant = l.tenant
WITH l
CALL () {
  MATCH (n:Notice) USING INDEX SEEK n:Notice(tenant, number)
  WHERE n.tenant = $tenant AND n.number IS NOT NULL
  WITH n ORDER BY n.tenant, n.number LIMIT $limit
  RETURN collect(n) AS oldest
}
WITH l, oldest, reduce(last = 0, n IN oldest | CASE WHEN n.at < $before THEN n.number ELSE last END) AS last
WITH l, last, [n IN oldest WHERE n.number <= last] AS old
FOREACH (n IN old | SET l.trimmed = last DELETE n)
RETURN size(old) AS trimmed

// name: begin_alerts
// Numbers a look for alerts.
MERGE (l:NoticeLog {tenant: $tenant}) ON CREATE SET l.latest = 0, l.trimmed = 0
SET l.alertLook = coalesce(l.alertLook, 0) + 1
RETURN l.alertLook AS look

// name: keep_alerts
// Keeps the alerts of a look, unless a later one was kept, and tells of those that rose. Who keeps holds the lock on the log:
// others wait, and find it done.
MATCH (l:NoticeLog {tenant: $tenant})
SET l.tenant = l.tenant
WITH l WHERE l.alertLook >= $look AND coalesce(l.alertsKept, 0) < $look
SET l.alertsKept = $look
WITH l
CALL () {
  MATCH (a:RisenAlert) USING INDEX SEEK a:RisenAlert(tenant, key)
  WHERE a.tenant = $tenant AND a.key IS NOT NULL
  RETURN collect(a) AS known
}
WITH known, [digest IN $digests WHERE NOT digest IN [a IN known | a.key]] AS risen
FOREACH (a IN [a IN known WHERE NOT a.key IN $digests] | DELETE a)
FOREACH (i IN range(0, size(risen) - 1) | CREATE (:RisenAlert {tenant: $tenant, key: risen[i], notice: $mark + i}))
FOREACH (once IN CASE WHEN size(risen) > 0 THEN [1] ELSE [] END |
  CREATE (:Notice {tenant: $tenant, kind: $kind, mark: $mark, records: size(risen), waiting: true, at: datetime.realtime('UTC')}))
RETURN size(risen) AS risen
