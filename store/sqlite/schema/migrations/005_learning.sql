-- What agents learn by: their executions, and the profiles that sum them up. Executions of episodes that
-- are there already are counted by the program, after all scripts have run (see file.Options.Finish).

-- To the types of links come: OF (execution → profile, profile → agent) and FROM (execution → episode).
-- The time of an execution's OF is its own.

-- An agent's profile for a task type: its counters, and the times and qualities of the latest executions,
-- packed in columns of 8 bytes each, little-endian. latest_at is the last of the times.
CREATE TABLE profiles (
  id                 INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  agent              INTEGER NOT NULL REFERENCES nodes,
  task_type          TEXT NOT NULL,
  total              INTEGER NOT NULL,
  successful         INTEGER NOT NULL,
  quality_billionths INTEGER NOT NULL,
  latency_micros     INTEGER NOT NULL,
  timed              INTEGER NOT NULL,
  latest_at          INTEGER NOT NULL,
  times              BLOB NOT NULL,
  qualities          BLOB NOT NULL,
  UNIQUE (agent, task_type)
) STRICT;

CREATE INDEX profiles_by_task_type ON profiles (task_type);

-- The other columns of the window, in the same order: apart, because rankings do not need them. The keys
-- are JSON, success is a byte each, a latency below 0 was not measured.
CREATE TABLE windows (
  profile   INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  keys      TEXT NOT NULL,
  successes BLOB NOT NULL,
  latencies BLOB NOT NULL
) STRICT;

-- Every execution, in a window or archived: its node, and what a record sent again is compared with. Those
-- of episodes are sent with the episode.
CREATE TABLE registry (
  id         INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  input_hash BLOB
) STRICT;

-- The executions that are older than a full window. The key stands here again, because they are read in
-- the order of (at, key).
CREATE TABLE archive (
  profile    INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  key        TEXT NOT NULL,
  success    INTEGER NOT NULL,
  quality    REAL NOT NULL,
  latency_ms REAL,
  PRIMARY KEY (profile, at, key)
) STRICT, WITHOUT ROWID;
