-- Canvases and feedback by whether they wait for their episode, each in the order of time. A canvas that waits has no
-- agent; of feedback only the link from its episode tells, so that a column says it. Who makes the link sets it: a trigger would
-- make SQLite prepare to undo each statement alone, for which the index of words is written out before it.
ALTER TABLE feedback ADD COLUMN waiting INTEGER NOT NULL DEFAULT 1;
UPDATE feedback SET waiting = 0 WHERE EXISTS (SELECT 1 FROM edges e WHERE e.target = feedback.id AND e.type = 'RECEIVED');

CREATE INDEX canvases_by_waiting ON canvases (agent IS NULL, created_at);
CREATE INDEX feedback_by_waiting ON feedback (waiting, created_at);
