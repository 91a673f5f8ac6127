-- Canvases and feedback by whether they wait for their episode, each in the order of time. A canvas that waits has no
-- agent; of feedback only the link from its episode tells, so that a column follows it.
ALTER TABLE feedback ADD COLUMN waiting INTEGER NOT NULL DEFAULT 1;
UPDATE feedback SET waiting = 0 WHERE EXISTS (SELECT 1 FROM edges e WHERE e.target = feedback.id AND e.type = 'RECEIVED');

CREATE TRIGGER feedback_received AFTER INSERT ON edges WHEN NEW.type = 'RECEIVED'
BEGIN
  UPDATE feedback SET waiting = 0 WHERE id = NEW.target;
END;

CREATE TRIGGER feedback_released AFTER DELETE ON edges WHEN OLD.type = 'RECEIVED'
BEGIN
  UPDATE feedback SET waiting = 1 WHERE id = OLD.target;
END;

CREATE INDEX canvases_by_waiting ON canvases (agent IS NULL, created_at);
CREATE INDEX feedback_by_waiting ON feedback (waiting, created_at);
