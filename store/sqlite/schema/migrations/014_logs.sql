-- How much there is of each log that came in parts, so that a part does not have to count what came before it.
CREATE TABLE logs (
  episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
  events  INTEGER NOT NULL,
  bytes   INTEGER NOT NULL,
  last    INTEGER NOT NULL
) STRICT;
