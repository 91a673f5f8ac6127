-- The memory of one tenant. Times are milliseconds since 1970, UTC. Lists that have no life of their
-- own are JSON; a null in the domain is NULL here.

-- What the tenant as a whole has: its key for hashing inputs, the version of the text analysis.
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- ── the graph ────────────────────────────────────────────────────────────────

CREATE TABLE nodes (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  UNIQUE (kind, key)
) STRICT;

-- RAN (agent → episode), IN_SESSION (episode, canvas, feedback → session), PRESENTED (episode → canvas),
-- RECEIVED (episode → feedback), CAUSED_BY (episode → episode), ON (feedback → canvas). The time is that
-- of the record which the link came with, so that a hub's newest links are read without the others.
CREATE TABLE edges (
  source INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  type   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  target INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  PRIMARY KEY (source, type, at, target)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX edges_by_target ON edges (target, type, source);

-- Nodes that named a record which is not there yet: an episode by its key, an episode by one of its
-- executions, a canvas, or any episode of a session.
CREATE TABLE waiting (
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  node INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  PRIMARY KEY (kind, key, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_by_node ON waiting (node);

-- ── agents and episodes ──────────────────────────────────────────────────────

CREATE TABLE agents (
  id   INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;

-- What episodes are found and ranked by. Agent and session repeat RAN and IN_SESSION, which never
-- change for an episode, because lists are read in the order of an index that starts with them. In
-- feedback_order no feedback comes last.
CREATE TABLE episodes (
  id                  INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  agent               INTEGER NOT NULL REFERENCES nodes,
  session             INTEGER REFERENCES nodes,
  task_type           TEXT,
  outcome             TEXT NOT NULL,
  concluded           INTEGER NOT NULL,
  started_at          INTEGER NOT NULL,
  ended_at            INTEGER,
  known_at            INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(ended_at, started_at)) VIRTUAL,
  created_at          INTEGER NOT NULL,
  quality             REAL,
  canvas_action_count INTEGER NOT NULL DEFAULT 0,
  feedback_sum        REAL NOT NULL DEFAULT 0,
  feedback_count      INTEGER NOT NULL DEFAULT 0,
  feedback_score      REAL GENERATED ALWAYS AS (feedback_sum / nullif(feedback_count, 0)) VIRTUAL,
  feedback_order      REAL NOT NULL GENERATED ALWAYS AS (coalesce(feedback_sum / nullif(feedback_count, 0), -1e308)) VIRTUAL,
  input_hash          BLOB NOT NULL
) STRICT;

CREATE INDEX episodes_by_time      ON episodes (started_at);
CREATE INDEX episodes_by_agent     ON episodes (agent, started_at);
CREATE INDEX episodes_by_session   ON episodes (session, started_at);
CREATE INDEX episodes_by_task_type ON episodes (task_type, started_at);
CREATE INDEX episodes_by_feedback  ON episodes (feedback_order, started_at);
CREATE INDEX task_types_by_agent   ON episodes (agent, task_type);

-- What episodes say: apart, because it is long and searches do not need it.
CREATE TABLE contents (
  episode       INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
  title         TEXT NOT NULL,
  observation   TEXT NOT NULL,
  thoughts      TEXT NOT NULL,
  actions       TEXT NOT NULL,
  result        TEXT,
  insight       TEXT NOT NULL,
  execution_ids TEXT NOT NULL,
  segments      TEXT NOT NULL,
  metadata      TEXT,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  redactions    TEXT NOT NULL
) STRICT;

CREATE TABLE events (
  episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  type    TEXT NOT NULL,
  data    TEXT,
  at      INTEGER NOT NULL,
  PRIMARY KEY (episode, seq)
) STRICT, WITHOUT ROWID;

-- The episode that covers an execution; the first where several say so.
CREATE TABLE executions (
  key     TEXT NOT NULL,
  episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE,
  PRIMARY KEY (key, episode)
) STRICT, WITHOUT ROWID;

CREATE INDEX executions_by_episode ON executions (episode);

-- Vectors are float32, little-endian, all of one length.
CREATE TABLE embeddings (
  episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
  vector  BLOB NOT NULL
) STRICT;

-- ── the word index ───────────────────────────────────────────────────────────

-- The stems of package lexical, joined by spaces, under the episode's id. The texts themselves are not
-- kept again, and a delete takes the stems out of the index at once rather than at some later merge.
CREATE VIRTUAL TABLE words USING fts5 (
  title, observation, result, insight,
  content = '',
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

INSERT INTO words (words, rank) VALUES ('secure-delete', 1);

-- How many episodes each stem occurs in. The index could count that too, but only by reading all of a
-- stem's entries: 8–25 ms for a situation of fifty words among 20,000 episodes, against 0.2 ms here.
CREATE TABLE stems (
  stem     TEXT PRIMARY KEY,
  episodes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- ── canvases and feedback ────────────────────────────────────────────────────

-- named_episode is the key that an action named; without one a link follows from the session only. The
-- agent is that of the episode, so that an agent's canvases are read in the order of an index.
CREATE TABLE canvases (
  id             INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  canvas_type    TEXT NOT NULL,
  component_type TEXT,
  named_episode  TEXT,
  agent          INTEGER REFERENCES nodes,
  created_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX canvases_by_agent ON canvases (agent, created_at);

-- seq counts the actions of a canvas in the order in which they arrived.
CREATE TABLE canvas_actions (
  canvas     INTEGER NOT NULL REFERENCES canvases ON DELETE CASCADE,
  seq        INTEGER NOT NULL,
  id         TEXT NOT NULL,
  action     TEXT NOT NULL,
  metadata   TEXT,
  at         INTEGER NOT NULL,
  input_hash BLOB NOT NULL,
  PRIMARY KEY (canvas, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX canvas_actions_by_id ON canvas_actions (canvas, id) WHERE id <> '';

-- leads_by is the first way to its episode that the feedback named, the only one that counts: episode,
-- execution, canvas or session.
CREATE TABLE feedback (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  leads_by      TEXT NOT NULL,
  type          TEXT NOT NULL,
  rating        INTEGER,
  score         REAL NOT NULL,
  corrections   TEXT,
  source        TEXT NOT NULL,
  execution     TEXT,
  created_by    TEXT,
  created_at    INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  redactions    TEXT NOT NULL,
  input_hash    BLOB NOT NULL
) STRICT;
