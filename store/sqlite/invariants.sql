-- What must hold in a file, by the names of package invariants: each view finds what breaks it, the statements after
-- "mend" put that right.

-- check dangling
SELECT "table" FROM pragma_foreign_key_check

-- check misnamed
SELECT e.source, e.type, e.target_ref, s.ref AS from_ref, t.id AS target, t.ref AS to_ref, e.at
FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target
WHERE e.source_ref <> s.ref OR e.target_ref <> t.ref
-- mend
CREATE TEMP TABLE named_anew AS SELECT * FROM misnamed;
DELETE FROM edges WHERE (source, type, target_ref) IN (SELECT source, type, target_ref FROM named_anew);
INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) SELECT source, type, to_ref, target, from_ref, at FROM named_anew;
DROP TABLE named_anew;

-- view owned
-- The links that columns of records repeat.
SELECT id AS record, agent AS source, 'RAN' AS type, id AS target, started_at AS at FROM episodes
UNION ALL SELECT id, id, 'IN_SESSION', session, started_at FROM episodes WHERE session IS NOT NULL
UNION ALL SELECT id, id, 'IN_SESSION', session, created_at FROM observations WHERE session IS NOT NULL
UNION ALL SELECT id, memoir, 'CONTAINS', id, created_at FROM concepts
UNION ALL SELECT id, id, 'OF', agent, coalesce((SELECT max(at) FROM executions WHERE profile = profiles.id), 0) FROM profiles
UNION ALL SELECT id, id, 'OF', profile, at FROM executions
UNION ALL SELECT x.id, x.id, 'FROM', e.id, x.at FROM executions x JOIN nodes n ON n.id = x.id JOIN nodes e ON e.kind = 'episode' AND e.ref = n.key
UNION ALL SELECT id, id, 'ON', section, at FROM verdicts

-- check unlinked
SELECT s.id AS source, o.type, t.ref AS target_ref, t.id AS target, s.ref AS source_ref, o.at
FROM owned o JOIN nodes s ON s.id = o.source JOIN nodes t ON t.id = o.target
WHERE NOT EXISTS (SELECT 1 FROM edges e WHERE e.source = o.source AND e.type = o.type AND e.target = o.target)
-- mend
INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at) SELECT source, type, target_ref, target, source_ref, at FROM unlinked;

-- check mislinked
SELECT e.source, e.type, e.target_ref
FROM owned o JOIN edges e ON e.type = o.type AND o.record = iif(e.type IN ('RAN', 'CONTAINS'), e.target, e.source)
WHERE e.source IS NOT o.source OR e.target IS NOT o.target
-- mend
DELETE FROM edges WHERE (source, type, target_ref) IN (SELECT source, type, target_ref FROM mislinked);

-- view listed
-- The executions that episodes say they are.
SELECT c.episode, j.value AS key
FROM contents c JOIN episodes e ON e.id = c.episode,
  json_each(iif(json_valid(c.execution_ids) AND json_type(c.execution_ids) = 'array', c.execution_ids, '[]')) j
WHERE j.type = 'text'

-- check unlisted
SELECT episode, key FROM episode_executions WHERE episode IN (SELECT episode FROM listed)
  AND (episode, key) NOT IN (SELECT episode, key FROM listed)
UNION ALL SELECT episode, key FROM (SELECT episode, key FROM listed EXCEPT SELECT episode, key FROM episode_executions)
-- mend
DELETE FROM episode_executions WHERE episode IN (SELECT episode FROM unlisted);
INSERT OR IGNORE INTO episode_executions (key, episode) SELECT key, episode FROM listed;

-- check miscounted
SELECT id, actions, reactions, scores
FROM (SELECT x.id, x.canvas_action_count, x.feedback_count, x.feedback_sum,
  (SELECT count(*) FROM edges p JOIN canvas_actions a ON a.canvas = p.target WHERE p.source = x.id AND p.type = 'PRESENTED') AS actions,
  (SELECT count(*) FROM edges r JOIN feedback f ON f.id = r.target WHERE r.source = x.id AND r.type = 'RECEIVED' AND f.replaced_at IS NULL) AS reactions,
  (SELECT total(f.score) FROM edges r JOIN feedback f ON f.id = r.target WHERE r.source = x.id AND r.type = 'RECEIVED' AND f.replaced_at IS NULL) AS scores
  FROM episodes x)
WHERE canvas_action_count <> actions OR feedback_count <> reactions OR feedback_sum <> scores
-- mend
UPDATE episodes AS x SET (canvas_action_count, feedback_count, feedback_sum) = (m.actions, m.reactions, m.scores) FROM miscounted m WHERE m.id = x.id;

-- check misshown
SELECT id, owner
FROM (SELECT v.id, v.agent, (SELECT o.agent FROM edges p JOIN episodes o ON o.id = p.source WHERE p.target = v.id AND p.type = 'PRESENTED') AS owner FROM canvases v)
WHERE agent IS NOT owner
-- mend
UPDATE canvases AS v SET agent = m.owner FROM misshown m WHERE m.id = v.id;

-- check misawaited
SELECT id, waits
FROM (SELECT f.id, f.waiting, NOT EXISTS (SELECT 1 FROM edges p WHERE p.target = f.id AND p.type = 'RECEIVED') AS waits FROM feedback f)
WHERE waiting <> waits
-- mend
UPDATE feedback AS f SET waiting = m.waits FROM misawaited m WHERE m.id = f.id;

-- check mislogged
SELECT episode, count, size, latest
FROM (SELECT l.episode, l.events, l.bytes, l.last, count(x.seq) AS count,
  coalesce(sum(octet_length(x.type) + coalesce(octet_length(x.data), 0)), 0) AS size, coalesce(max(x.seq), -1) AS latest
  FROM logs l LEFT JOIN events x ON x.episode = l.episode GROUP BY l.episode)
WHERE (events, bytes, last) IS NOT (count, size, latest)
-- mend
UPDATE logs AS l SET (events, bytes, last) = (m.count, m.size, m.latest) FROM mislogged m WHERE m.episode = l.episode;

-- check arrived
SELECT w.kind, w.key, w.node
FROM waiting w JOIN nodes n ON
  n.kind = CASE w.kind WHEN 'execution' THEN 'episode' WHEN 'informed' THEN 'episode' ELSE replace(w.kind, ' itself', '') END
  AND CASE w.kind WHEN 'execution' THEN n.id IN (SELECT x.episode FROM episode_executions x WHERE x.key = w.key) ELSE n.key = w.key END
  JOIN nodes o ON o.id = w.node
  LEFT JOIN episodes e ON e.id = n.id LEFT JOIN canvases v ON v.id = n.id
  LEFT JOIN episodes oe ON oe.id = w.node LEFT JOIN canvases ov ON ov.id = w.node LEFT JOIN feedback fe ON fe.id = w.node
WHERE (o.kind IN ('observation', 'correction') OR coalesce(e.user_id, v.user_id) IS NULL OR coalesce(e.user_id, v.user_id) = coalesce(oe.user_id, ov.user_id, fe.user_id)) -- else it is another's
  AND w.kind <> 'session'

-- check unindexed
SELECT id FROM passages WHERE id NOT IN (SELECT id FROM passage_words_docsize)
UNION ALL SELECT id FROM passage_words_docsize WHERE id NOT IN (SELECT id FROM passages)

-- check uncoded
SELECT id FROM passages WHERE length(code) NOT IN (0, 128)

-- check numbers
SELECT count(*) FROM passages HAVING coalesce(max(id & 1099511627775), 0) > (SELECT coalesce(max(number), -1) FROM passage_last)
