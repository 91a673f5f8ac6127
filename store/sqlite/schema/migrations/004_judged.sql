-- Judged work: runs, the sections that they are made of, the verdicts on these, and the patterns that
-- completed runs add up to. To the types of links come: section IN_RUN → run, verdict ON → section, and
-- pattern LEARNED_FROM → section.
--
-- Keys stand in these tables again, because lists are read in the order of indexes that end with them: of
-- 100,000 verdicts of one instant a page is read, and nothing sorted.

-- ── runs and verdicts ────────────────────────────────────────────────────────

CREATE TABLE runs (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  started_at   INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;

CREATE INDEX runs_by_time ON runs (started_at DESC, key);

-- What verdicts decide. A section has no row: all that is said of it follows from its verdicts. Section
-- and run repeat ON and IN_RUN, which never change.
CREATE TABLE verdicts (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  run          INTEGER NOT NULL REFERENCES nodes,
  section      INTEGER NOT NULL REFERENCES nodes,
  section_type TEXT NOT NULL,
  context      TEXT,
  judge        TEXT,
  status       TEXT NOT NULL,
  score        REAL,
  iteration    INTEGER NOT NULL,
  issues       TEXT NOT NULL,
  patterns     TEXT NOT NULL,
  label        INTEGER,
  labelled_by  TEXT,
  at           INTEGER NOT NULL,
  input_hash   BLOB NOT NULL
) STRICT;

CREATE INDEX verdicts_by_time         ON verdicts (at DESC, key);
CREATE INDEX verdicts_by_section      ON verdicts (section, at DESC, key);
CREATE INDEX verdicts_by_run          ON verdicts (run, at DESC, key);
CREATE INDEX verdicts_by_judge        ON verdicts (judge, at DESC, key);
CREATE INDEX verdicts_by_section_type ON verdicts (section_type, at DESC, key);
CREATE INDEX rejections_by_section    ON verdicts (section, iteration, at, key) WHERE status <> 'APPROVE';

-- What verdicts say: apart, because it is long and history does not need it.
CREATE TABLE verdict_texts (
  verdict       INTEGER PRIMARY KEY REFERENCES verdicts ON DELETE CASCADE,
  feedback      TEXT,
  strengths     TEXT NOT NULL,
  fixes         TEXT NOT NULL,
  plan          TEXT,
  tokens_before INTEGER NOT NULL,
  tokens_after  INTEGER NOT NULL,
  redactions    TEXT NOT NULL
) STRICT;

-- ── history ──────────────────────────────────────────────────────────────────

-- How many sections of a type were folded in: the total of each issue of the type, where it stands again.
CREATE TABLE section_types (
  section_type TEXT PRIMARY KEY,
  sections     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- context_key is memory.ContextKey of the context, by which patterns are found.
CREATE TABLE patterns (
  id           INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  key          TEXT NOT NULL,
  kind         TEXT NOT NULL,
  description  TEXT NOT NULL,
  said_at      INTEGER,
  issue_code   TEXT,
  section_type TEXT NOT NULL,
  context      TEXT,
  context_key  TEXT NOT NULL,
  hits         INTEGER NOT NULL,
  total        INTEGER NOT NULL,
  rate         REAL NOT NULL GENERATED ALWAYS AS (ifnull(CAST(hits AS REAL) / nullif(total, 0), 0.0)) VIRTUAL,
  scored       INTEGER NOT NULL,
  score_sum    REAL NOT NULL,
  recovered    INTEGER NOT NULL,
  recovery_sum INTEGER NOT NULL,
  last_seen    INTEGER NOT NULL
) STRICT;

-- The context comes last, so that those of another are passed over without being read.
CREATE INDEX patterns_by_rate          ON patterns (rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_kind          ON patterns (kind, rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_type          ON patterns (section_type, rate DESC, total DESC, key, context_key);
CREATE INDEX patterns_by_type_and_kind ON patterns (section_type, kind, rate DESC, total DESC, key, context_key);
