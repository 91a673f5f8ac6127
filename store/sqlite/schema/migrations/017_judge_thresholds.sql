-- What judges' scores would decide: a threshold for each judge, of all types of sections or of one; and on a verdict, the one
-- that was applied when it was recorded.
CREATE TABLE judge_thresholds (
  key          TEXT PRIMARY KEY,
  judge        TEXT NOT NULL,
  section_type TEXT,
  threshold    REAL,
  at           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX judge_thresholds_by_judge ON judge_thresholds (judge, key);

ALTER TABLE verdicts ADD COLUMN threshold REAL;
