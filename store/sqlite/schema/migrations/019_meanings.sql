-- What records say as vectors: codes of package meaning, one after the other. Records that came before have none
-- yet; they get theirs in the background. A record that is written anew gets a higher revision, and none comes twice, so that who
-- keeps them in memory sees what is new.
CREATE TABLE meanings (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  node     INTEGER NOT NULL UNIQUE REFERENCES nodes ON DELETE CASCADE,
  kind     TEXT NOT NULL,
  model    TEXT NOT NULL,
  codes    BLOB NOT NULL
) STRICT;
