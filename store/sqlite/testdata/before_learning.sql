-- What version 3 of the schema kept after Ada rebooked 105 passengers, one a minute, every fifth of them in
-- vain; and of what is no execution: an episode without a task type, and one that is not concluded. Eve
-- looked for a bag. Somebody noticed what went on in the first.
INSERT INTO nodes (id, kind, key) VALUES (1, 'agent', 'ada'), (2, 'agent', 'eve'), (3, 'observation', 'noticed');
INSERT INTO agents VALUES (1, 'Ada'), (2, 'eve');

WITH RECURSIVE minutes (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM minutes WHERE n < 107)
INSERT INTO nodes (id, kind, key) SELECT 100 + n, 'episode', printf('e%03d', n) FROM minutes;

INSERT INTO episodes (id, agent, task_type, outcome, concluded, started_at, ended_at, created_at, quality, input_hash)
  SELECT id, 1, 'rebooking', iif(id % 5 = 4, 'FAILURE', 'SUCCESS'), 1, 1772366400000 + (id - 100) * 60000,
    iif(id % 2 = 0, 1772366400500 + (id - 100) * 60000, NULL), 1772366400000, iif(id % 3 = 0, 0.75, NULL), x'01'
  FROM nodes WHERE kind = 'episode';

UPDATE episodes SET task_type = NULL WHERE id = 205;
UPDATE episodes SET outcome = 'UNKNOWN', concluded = 0 WHERE id = 206;
UPDATE episodes SET agent = 2, task_type = 'luggage' WHERE id = 207;

INSERT INTO contents SELECT id, '', 'x', '[]', '[]', NULL, 'none', '[]', '[]', NULL, 1, 1, '[]' FROM episodes;

INSERT INTO observations (id, content, importance, created_at, tokens_before, tokens_after, redactions, input_hash)
  VALUES (3, 'The first took long.', 'LOW', 1772366400000, 5, 5, '[]', x'02');
INSERT INTO waiting VALUES ('about', 'execution:episode:e000', 3);
