-- Traces that could not be made episodes: how often, why, and when to try again.
CREATE TABLE IF NOT EXISTS failing_traces (
  trace    TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  reason   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- With the last span that is held of a trace goes what is known of its failures.
CREATE TRIGGER IF NOT EXISTS spans_released AFTER DELETE ON spans
WHEN NOT EXISTS (SELECT 1 FROM spans WHERE trace = OLD.trace)
BEGIN
  DELETE FROM failing_traces WHERE trace = OLD.trace;
END;
