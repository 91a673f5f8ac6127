-- What agents know: concepts, observations and corrections, and walks over all that is linked.

-- ── the graph ────────────────────────────────────────────────────────────────

-- The global id.
ALTER TABLE nodes ADD COLUMN ref TEXT NOT NULL GENERATED ALWAYS AS (kind || ':' || key) VIRTUAL;

-- To the types of links come: observation IN_SESSION → session, MENTIONS (episode → concept), CONTAINS
-- (memoir → concept), ABOUT (observation, correction → any), and the types of memory.RelationTypes
-- (concept → concept). To what is waited for: a concept, and whatever has a global id.
--
-- The global ids of both ends stand in the links again, because links are walked in their order: of a
-- node with 100,000 neighbours a page is read, and nothing else.
CREATE TABLE links (
  source     INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  type       TEXT NOT NULL,
  target_ref TEXT NOT NULL,
  target     INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
  source_ref TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (source, type, target_ref)
) STRICT, WITHOUT ROWID;

INSERT INTO links (source, type, target_ref, target, source_ref, at)
  SELECT e.source, e.type, t.ref, e.target, s.ref, e.at
    FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target;

DROP TABLE edges;
ALTER TABLE links RENAME TO edges;
CREATE UNIQUE INDEX edges_by_target ON edges (target, type, source_ref);

-- ── the word index ───────────────────────────────────────────────────────────

-- What words is to episodes, for all other records that have words. They are found by kind: each stem is
-- preceded by the kind and a slash, so that a search of one kind reads nothing of the others.
CREATE VIRTUAL TABLE notes USING fts5 (
  name, content, rest,
  content = '',
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1);

-- How many records of a kind each stem occurs in; under the empty stem, how many are in the index.
DROP TABLE stems;
CREATE TABLE stems (
  kind    TEXT NOT NULL,
  stem    TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (kind, stem)
) STRICT, WITHOUT ROWID;

-- Stems are made by the program, which makes the whole index anew where it finds no version of it.
DELETE FROM settings WHERE name = 'analysis';

-- ── concepts ─────────────────────────────────────────────────────────────────

CREATE TABLE memoirs (
  id          INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  name        TEXT NOT NULL UNIQUE,
  description TEXT,
  created_at  INTEGER NOT NULL,
  input_hash  BLOB NOT NULL
) STRICT;

-- The memoir repeats CONTAINS, which never changes, because names are unique within it.
CREATE TABLE concepts (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  memoir        INTEGER NOT NULL REFERENCES memoirs,
  name          TEXT NOT NULL,
  content       TEXT NOT NULL,
  labels        TEXT NOT NULL,
  revisions     TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  redactions    TEXT NOT NULL,
  input_hash    BLOB NOT NULL,
  UNIQUE (memoir, name)
) STRICT;

-- ── observations and corrections ─────────────────────────────────────────────

-- The session repeats IN_SESSION, which never changes, because neighbours are found by an index.
CREATE TABLE observations (
  id               INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  session          INTEGER REFERENCES nodes,
  content          TEXT NOT NULL,
  importance       TEXT NOT NULL,
  access_count     INTEGER NOT NULL DEFAULT 0,
  last_accessed_at INTEGER,
  created_at       INTEGER NOT NULL,
  tokens_before    INTEGER NOT NULL,
  tokens_after     INTEGER NOT NULL,
  redactions       TEXT NOT NULL,
  input_hash       BLOB NOT NULL
) STRICT;

CREATE INDEX observations_by_time    ON observations (created_at);
CREATE INDEX observations_by_session ON observations (session, created_at);
-- What a weight is computed from, so that ordering by weight does not read the contents.
CREATE INDEX observations_by_use     ON observations (importance, access_count, last_accessed_at, created_at);

CREATE TABLE corrections (
  id            INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  topic         TEXT NOT NULL,
  prediction    TEXT NOT NULL,
  correction    TEXT NOT NULL,
  context       TEXT,
  importance    TEXT NOT NULL,
  created_by    TEXT,
  created_at    INTEGER NOT NULL,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  redactions    TEXT NOT NULL,
  input_hash    BLOB NOT NULL
) STRICT;

CREATE INDEX corrections_by_time  ON corrections (created_at);
CREATE INDEX corrections_by_topic ON corrections (topic, created_at);
