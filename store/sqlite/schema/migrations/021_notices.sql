-- That records were written, in the order of commits, for those who wait for them. Numbers are never given twice. One row
-- without a node stands for all that were trimmed.
CREATE TABLE notices (
  number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number BETWEEN 1 AND 9007199254740991),
  kind   TEXT NOT NULL,
  node   INTEGER REFERENCES nodes ON DELETE CASCADE,
  at     INTEGER NOT NULL
) STRICT;

CREATE INDEX notices_by_node ON notices (node);
