SELECT n.key, a.key, g.name, e.outcome, e.started_at, e.ended_at, c.title, c.observation, c.thoughts, c.actions,
  c.result, c.insight, e.canvas_action_count, e.feedback_sum, e.feedback_count
FROM nodes n
  JOIN episodes e ON e.id = n.id
  JOIN contents c ON c.episode = e.id
  JOIN nodes a ON a.id = e.agent
  JOIN agents g ON g.id = e.agent
  LEFT JOIN nodes s ON s.id = e.session
WHERE n.kind = 'episode' AND n.key = :key;
SELECT n.key, v.canvas_type, v.component_type, x.action, x.metadata, x.at
FROM edges p
  JOIN canvases v ON v.id = p.target
  JOIN nodes n ON n.id = v.id
  LEFT JOIN nodes o ON o.id = p.source
  LEFT JOIN edges i ON i.source = v.id AND i.type = 'IN_SESSION'
  LEFT JOIN nodes s ON s.id = i.target
  JOIN canvas_actions x ON x.canvas = v.id
WHERE p.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key) AND p.type = 'PRESENTED'
ORDER BY v.created_at DESC, n.key, x.at, x.seq;
SELECT n.key, f.type, f.rating, f.score, f.corrections, f.created_by, f.created_at
FROM edges p
  JOIN feedback f ON f.id = p.target
  JOIN nodes n ON n.id = f.id
  LEFT JOIN nodes o ON o.id = p.source
  LEFT JOIN edges d ON d.source = f.id AND d.type = 'ON'
  LEFT JOIN nodes v ON v.id = d.target
  LEFT JOIN edges i ON i.source = f.id AND i.type = 'IN_SESSION'
  LEFT JOIN nodes s ON s.id = i.target
WHERE p.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :key) AND p.type = 'RECEIVED'
ORDER BY f.created_at DESC, n.key
