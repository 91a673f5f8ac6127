-- Which alerts there are, each as a digest of what it is about; what they say is found anew by who reads them. Looks for alerts
-- are numbered, so that one which ends late changes nothing.
CREATE TABLE alerts (
  id     INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE alert_looks (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  begun INTEGER NOT NULL,
  kept  INTEGER NOT NULL
) STRICT;

-- A notice tells of a record or of an alert that rose, and goes with it.
ALTER TABLE notices ADD COLUMN alert INTEGER REFERENCES alerts ON DELETE CASCADE;
CREATE INDEX notices_by_alert ON notices (alert);
