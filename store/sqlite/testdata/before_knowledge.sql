-- What version 2 of the schema kept after an agent recorded two episodes of a session, the second caused
-- by the first, showed a form in the first, and somebody rated that and said what was wrong.
INSERT INTO settings VALUES ('analysis', :analysis), ('input_key', x'0102030405060708010203040506070801020304050607080102030405060708');

INSERT INTO nodes (id, kind, key) VALUES
  (1, 'agent', 'ada'), (2, 'session', 's'), (3, 'episode', 'first'), (4, 'episode', 'second'),
  (5, 'canvas', 'form'), (6, 'feedback', 'rated'), (7, 'feedback', 'early');

INSERT INTO edges (source, type, at, target) VALUES
  (1, 'RAN', 1772366400000, 3), (1, 'RAN', 1772370000000, 4),
  (3, 'IN_SESSION', 1772366400000, 2), (4, 'IN_SESSION', 1772370000000, 2), (5, 'IN_SESSION', 1772366400000, 2),
  (4, 'CAUSED_BY', 1772370000000, 3), (3, 'PRESENTED', 1772366400000, 5),
  (3, 'RECEIVED', 1772370000000, 6), (6, 'ON', 1772370000000, 5);

INSERT INTO waiting VALUES ('episode', 'third', 7);
INSERT INTO agents VALUES (1, 'Ada');

INSERT INTO episodes (id, agent, session, task_type, outcome, concluded, started_at, ended_at, created_at,
    canvas_action_count, feedback_sum, feedback_count, input_hash) VALUES
  (3, 1, 2, 'rebooking', 'SUCCESS', 1, 1772366400000, 1772367000000, 1772367000000, 1, -0.5, 1, x'01'),
  (4, 1, 2, 'rebooking', 'FAILURE', 1, 1772370000000, NULL, 1772370000000, 0, 0, 0, x'02');

INSERT INTO contents VALUES
  (3, 'Delayed flights', 'A passenger wants another flight.', '[]', '[]', 'Rebooked.', 'Asking first helped.', '[]', '[]', NULL, 9, 9, '[]'),
  (4, 'Luggage', 'A bag is missing.', '[]', '[]', NULL, 'Nobody looked.', '[]', '[]', NULL, 5, 5, '[]');

INSERT INTO words (rowid, title, observation, result, insight) VALUES
  (3, 'delai flight', 'passeng want flight', 'rebook', 'ask help'), (4, 'luggag', 'bag miss', '', 'look');

INSERT INTO stems VALUES
  ('ask', 1), ('bag', 1), ('delai', 1), ('flight', 1), ('help', 1), ('look', 1), ('luggag', 1), ('miss', 1),
  ('passeng', 1), ('rebook', 1), ('want', 1);

INSERT INTO canvases VALUES (5, 'forms', NULL, 'first', 1, 1772366400000);
INSERT INTO canvas_actions VALUES (5, 1, '', 'PRESENT', NULL, 1772366400000, x'03');

INSERT INTO feedback VALUES
  (6, 'episode', 'RATING', 2, -0.5, 'The dates were missing.', 'CHAT', NULL, 'jonas', 1772370000000, 5, 5, '[]', x'04'),
  (7, 'episode', 'THUMBS_UP', NULL, 1, NULL, 'CHAT', NULL, NULL, 1772370000000, 0, 0, '[]', x'05');
