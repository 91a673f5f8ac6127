-- Sections are counted, and patterns found, by parts of the contexts that they were made under, too.
CREATE TABLE section_counts (
  key          TEXT PRIMARY KEY,
  section_type TEXT NOT NULL,
  context      TEXT,
  sections     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO section_counts (key, section_type, sections) SELECT section_type, section_type, sections FROM section_types;
DROP TABLE section_types;

CREATE INDEX patterns_by_part    ON patterns (section_type, kind, context_key, rate DESC, total DESC, key);
CREATE INDEX patterns_by_context ON patterns (context_key, rate DESC, total DESC, key, kind, section_type);
