-- The memory of one tenant. Times are milliseconds since 1970, UTC. Lists that have no life of their own are JSON; a null
-- in the domain is NULL here. In the place of a name in braces come the columns of package fields. A change of the schema needs
-- another schema.Version.

-- What a tenant has once; see settings.go.
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- ── the graph ────────────────────────────────────────────────────────────────

-- Every record is a node. ref is its global id.
CREATE TABLE nodes (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  ref  TEXT NOT NULL GENERATED ALWAYS AS (kind || ':' || key) VIRTUAL,
  UNIQUE (kind, key)
) STRICT;

-- RAN (agent → episode), IN_SESSION (episode, canvas, feedback, observation → session), PRESENTED (episode → canvas),
-- RECEIVED (episode → feedback), CAUSED_BY and INFORMED_BY (episode → episode), ON (feedback → canvas, verdict → section), MENTIONS (episode →
-- concept), CONTAINS (memoir → concept), ABOUT (observation, correction → any), the types of memory.RelationTypes (concept →
-- concept), IN_RUN (section → run), LEARNED_FROM (pattern → section), OF (execution → profile, profile → agent) and FROM
-- (execution → episode). The time is that of the record with which the link came.
--
-- The global ids of both ends stand here again, because links are walked in their order: of a node with 100,000
-- neighbours a page is read, and nothing else.
CREATE TABLE edges (
  source     INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  type       TEXT NOT NULL,
  target_ref TEXT NOT NULL,
  target     INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  source_ref TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (source, type, target_ref)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX edges_by_target ON edges (target, type, source_ref);
-- The episodes of a session, and its canvases and feedback, each in the order of time.
CREATE INDEX edges_episodes_in_session ON edges (target, at, source_ref)
  WHERE type = 'IN_SESSION' AND source_ref >= 'episode:' AND source_ref < 'episode;';
CREATE INDEX edges_reactions_in_session ON edges (target, at, source_ref)
  WHERE type = 'IN_SESSION' AND source_ref < 'feedback;' AND (source_ref < 'episode:' OR source_ref >= 'feedback:');

-- Nodes that named a record which is not there yet, under the names of package linking.
CREATE TABLE waiting (
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  node INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  PRIMARY KEY (kind, key, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_by_node ON waiting (node);

-- What was deleted for good: keyed hashes of global ids.
CREATE TABLE tombstones (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

-- ── agents and episodes ──────────────────────────────────────────────────────

CREATE TABLE agents (
  id   INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  {agent}
) STRICT;

-- What episodes are found and ranked by. Agent and session repeat RAN and IN_SESSION, which never change for an episode,
-- because lists are read in the order of an index that starts with them. In feedback_order no feedback comes last.
-- concluded_later says that an episode was recorded open.
CREATE TABLE episodes (
  id                  INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  agent               INTEGER NOT NULL REFERENCES nodes,
  session             INTEGER REFERENCES nodes,
  {episode},
  known_at            INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(ended_at, started_at)) VIRTUAL,
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
CREATE INDEX episodes_by_user      ON episodes (user_id, started_at);
CREATE INDEX episodes_by_feedback  ON episodes (feedback_order, started_at);
CREATE INDEX task_types_by_agent   ON episodes (agent, task_type);
-- The episodes that a boost of the recall may lift: of many matches these are looked at first. It holds all that is asked
-- for, so that the episodes themselves are not read.
CREATE INDEX episodes_boosted ON episodes (started_at, canvas_action_count, feedback_sum, feedback_count)
  WHERE canvas_action_count > 0 OR feedback_sum > 0;

-- What episodes say: apart, because it is long and searches do not need it.
CREATE TABLE contents (
  episode       INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
  {contents}
) STRICT;

CREATE TABLE events (
  episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  {event},
  PRIMARY KEY (episode, seq)
) STRICT, WITHOUT ROWID;

-- How much there is of each log that came in parts, so that a part does not have to count what came before it.
CREATE TABLE logs (
  episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
  events  INTEGER NOT NULL,
  bytes   INTEGER NOT NULL,
  last    INTEGER NOT NULL
) STRICT;

-- The episode that covers an execution; the first where several say so.
CREATE TABLE episode_executions (
  key     TEXT NOT NULL,
  episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE,
  PRIMARY KEY (key, episode)
) STRICT, WITHOUT ROWID;

CREATE INDEX episode_executions_by_episode ON episode_executions (episode);

-- Vectors that came with episodes: float32, little-endian, all of one length. A vector that takes the place of another gets an id of its
-- own, so that a copy in memory sees what is new.
CREATE TABLE embeddings (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  episode INTEGER NOT NULL UNIQUE REFERENCES episodes ON DELETE CASCADE,
  vector  BLOB NOT NULL
) STRICT;

-- ── canvases and feedback ────────────────────────────────────────────────────

-- named_episode is the key that an action named; without one a link follows from the session only. The agent is that of the
-- episode, so that an agent's canvases are read in the order of an index; a canvas that waits for its episode has none.
CREATE TABLE canvases (
  id             INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  {canvas},
  named_episode  TEXT,
  agent          INTEGER REFERENCES nodes,
  created_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX canvases_by_agent   ON canvases (agent, created_at);
CREATE INDEX canvases_by_time    ON canvases (created_at, agent);

-- seq counts the actions of a canvas in the order in which they arrived.
CREATE TABLE canvas_actions (
  canvas     INTEGER NOT NULL REFERENCES canvases ON DELETE CASCADE,
  seq        INTEGER NOT NULL,
  {canvasAction},
  input_hash BLOB NOT NULL,
  PRIMARY KEY (canvas, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX canvas_actions_by_id ON canvas_actions (canvas, id) WHERE id <> '';

-- leads_by is the first way to its episode that the feedback named, the only one that counts: episode, execution, canvas or
-- session. waiting says whether it still waits for its episode. Who links the two sets it: a trigger would make SQLite prepare
-- to undo each statement alone, for which the word index is written out before it. replaces is the key of the feedback
-- whose place it took; what has replaced_at counted until then.
CREATE TABLE feedback (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  leads_by      TEXT NOT NULL,
  waiting       INTEGER NOT NULL DEFAULT 1,
  {feedback},
  input_hash    BLOB NOT NULL
) STRICT;

CREATE INDEX feedback_by_time ON feedback (created_at, replaced_at, waiting);

-- ── memoirs and concepts ─────────────────────────────────────────────────────

CREATE TABLE memoirs (
  id          INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  {memoir},
  input_hash BLOB NOT NULL,
  UNIQUE (name)
) STRICT;

-- The memoir repeats CONTAINS, which never changes, because names are unique within it.
CREATE TABLE concepts (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  memoir        INTEGER NOT NULL REFERENCES memoirs,
  {concept},
  input_hash    BLOB NOT NULL,
  UNIQUE (memoir, name)
) STRICT;

-- ── observations and corrections ─────────────────────────────────────────────

-- The session repeats IN_SESSION, which never changes, because neighbours are found by an index.
CREATE TABLE observations (
  id               INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  session          INTEGER REFERENCES nodes,
  {observation},
  input_hash       BLOB NOT NULL
) STRICT;

CREATE INDEX observations_by_time    ON observations (created_at);
CREATE INDEX observations_by_session ON observations (session, created_at);
-- What a weight is computed from, so that ordering by weight does not read the contents.
CREATE INDEX observations_by_use     ON observations (importance, access_count, last_accessed_at, created_at);

CREATE TABLE corrections (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  {correction},
  input_hash    BLOB NOT NULL
) STRICT;

CREATE INDEX corrections_by_time  ON corrections (created_at);
CREATE INDEX corrections_by_topic ON corrections (topic, created_at);

-- ── judged work ──────────────────────────────────────────────────────────────

-- Keys stand in these tables again, because lists are read in the order of indexes that end with them: of 100,000 verdicts of
-- one instant a page is read, and nothing sorted.
CREATE TABLE runs (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  {run}
) STRICT;

CREATE INDEX runs_by_time ON runs (started_at DESC, key);

-- What verdicts decide. A section has no row: all that is said of it follows from its verdicts. Section and run repeat ON and
-- IN_RUN, which never change. The threshold is the one that was applied to the judge when the verdict was recorded.
CREATE TABLE verdicts (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  run          INTEGER NOT NULL REFERENCES nodes,
  section      INTEGER NOT NULL REFERENCES nodes,
  {judgement},
  input_hash   BLOB NOT NULL
) STRICT;

CREATE INDEX verdicts_by_time         ON verdicts (at DESC, key);
CREATE INDEX verdicts_by_section      ON verdicts (section, at DESC, key);
CREATE INDEX verdicts_by_run          ON verdicts (run, at DESC, key);
CREATE INDEX verdicts_by_judge        ON verdicts (judge, at DESC, key);
CREATE INDEX verdicts_by_section_type ON verdicts (section_type, at DESC, key);

-- What verdicts say: apart, because it is long and history does not need it.
CREATE TABLE verdict_texts (
  verdict       INTEGER PRIMARY KEY REFERENCES verdicts ON DELETE CASCADE,
  {verdict}
) STRICT;

-- A threshold for the scores of a judge, of all types of sections or of one.
CREATE TABLE judge_thresholds (
  key          TEXT PRIMARY KEY,
  {judgeThreshold}
) STRICT, WITHOUT ROWID;

CREATE INDEX judge_thresholds_by_judge ON judge_thresholds (judge, key);

-- ── what judged work taught ──────────────────────────────────────────────────

-- How many sections of a type completed runs had, of all or of those made under a part of a context.
CREATE TABLE section_counts (
  key          TEXT PRIMARY KEY,
  section_type TEXT NOT NULL,
  context      TEXT,
  sections     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- context_key is memory.ContextKey of the context. common are the pairs that the contexts of all sections with an approach
-- share. mined says that an approach was seen in plans, and named by no verdict.
CREATE TABLE patterns (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  {pattern},
  context_key  TEXT NOT NULL,
  rate         REAL NOT NULL GENERATED ALWAYS AS (ifnull(CAST(hits AS REAL) / nullif(total, 0), 0.0)) VIRTUAL
) STRICT;

-- Where the context comes last, those of another are passed over without being read.
CREATE INDEX patterns_by_rate          ON patterns (rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_kind          ON patterns (kind, rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_type          ON patterns (section_type, rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_type_and_kind ON patterns (section_type, kind, rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_part          ON patterns (section_type, kind, context_key, rate DESC, total DESC, key);
CREATE INDEX patterns_by_context       ON patterns (context_key, rate DESC, total DESC, key, kind, section_type);

-- ── what agents learn by ─────────────────────────────────────────────────────

-- Every execution; the latest of a profile are its window. The hash is what a record sent again is compared with; those of episodes are sent with the episode.
CREATE TABLE executions (
  id         INTEGER NOT NULL UNIQUE REFERENCES nodes ON DELETE CASCADE,
  profile    INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  key        TEXT NOT NULL,
  {execution},
  input_hash BLOB,
  PRIMARY KEY (profile, at, key)
) STRICT, WITHOUT ROWID;

-- An agent's profile for a task type: its counters, and the times and qualities of the latest executions, packed in columns
-- of 8 bytes each, little-endian.
CREATE TABLE profiles (
  id                 INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  agent              INTEGER NOT NULL REFERENCES nodes,
  {profile},
  UNIQUE (agent, task_type)
) STRICT;

CREATE INDEX profiles_by_task_type ON profiles (task_type);

-- ── spans ────────────────────────────────────────────────────────────────────

-- The spans of traces that are not episodes yet; data is the whole span as JSON.
CREATE TABLE spans (
  trace      TEXT NOT NULL,
  span       TEXT NOT NULL,
  ends       INTEGER NOT NULL,
  arrived_at INTEGER NOT NULL,
  user_id    TEXT NOT NULL,
  data       TEXT NOT NULL,
  PRIMARY KEY (trace, span)
) STRICT, WITHOUT ROWID;

-- Which traces are due is told without reading what their spans say.
CREATE INDEX spans_by_trace ON spans (trace, arrived_at, ends);

-- Traces that could not be made episodes: how often, why, and when to try again.
CREATE TABLE failing_traces (
  trace    TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  reason   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- With the last span that is held of a trace goes what is known of its failures.
CREATE TRIGGER spans_released AFTER DELETE ON spans
WHEN NOT EXISTS (SELECT 1 FROM spans WHERE trace = OLD.trace)
BEGIN
  DELETE FROM failing_traces WHERE trace = OLD.trace;
END;

-- ── notices ──────────────────────────────────────────────────────────────────

-- Which alerts there are, each as a digest of what it is about; what they say is found anew by who reads them.
CREATE TABLE alerts (
  id     INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE
) STRICT;

-- Looks for alerts are numbered, so that one which ends late changes nothing.
CREATE TABLE alert_looks (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  begun INTEGER NOT NULL,
  kept  INTEGER NOT NULL
) STRICT;

-- That records were written, or that an alert rose, in the order of commits, for those who wait for them. A notice goes with
-- what it is about. Numbers are never given twice. One row of neither stands for all that were trimmed.
CREATE TABLE notices (
  number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number BETWEEN 1 AND 9007199254740991),
  kind   TEXT NOT NULL,
  node   INTEGER REFERENCES nodes ON DELETE CASCADE,
  alert  INTEGER REFERENCES alerts ON DELETE CASCADE,
  at     INTEGER NOT NULL
) STRICT;

CREATE INDEX notices_by_node  ON notices (node);
CREATE INDEX notices_by_alert ON notices (alert);

-- ── passages ─────────────────────────────────────────────────────────────────

-- What records say in pieces (package memory/passages). The ids of a kind are a range (see package passages), and none is given
-- twice, so that a copy in memory sees what is new. The code is a vector of package meaning, empty for a text without a known
-- word; null where none was made. The embedding is an endpoint's vector as a code, of a byte for each number.
CREATE TABLE passages (
  id        INTEGER PRIMARY KEY,
  node      INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  part      TEXT NOT NULL,
  position  INTEGER NOT NULL,
  step      TEXT NOT NULL,
  at        INTEGER NOT NULL,
  text      TEXT NOT NULL,
  code      BLOB,
  embedding BLOB
) STRICT;

CREATE INDEX passages_by_node ON passages (node, number);
CREATE INDEX passages_due     ON passages (node) WHERE code IS NULL;
CREATE INDEX passages_lengths ON passages (coalesce(length(embedding), 0), node);

-- What filters know of a record without reading it, the time of the record, and how many of its passages beyond the bound
-- were left out.
CREATE TABLE passage_owners (
  node     INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  first    INTEGER NOT NULL,
  second   INTEGER NOT NULL,
  third    INTEGER NOT NULL,
  fourth   INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  left_out INTEGER NOT NULL
) STRICT;

-- The last number that was given to a passage.
CREATE TABLE passage_last (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL
) STRICT;

INSERT INTO passage_last (id, number) VALUES (1, 0);

-- The words of passages, as stems of package lexical, and the marks of their records. What is deleted is only marked so, until the
-- index is merged before the file is vacuumed.
CREATE VIRTUAL TABLE passage_words USING fts5 (
  marks, stems,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
