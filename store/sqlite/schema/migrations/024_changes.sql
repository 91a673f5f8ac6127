-- What changed of episodes since this is kept, each where it last did, so that who keeps it in memory sees what is new: their
-- embeddings, and what lifts them. Of what was deleted only that is noted which a boost lifted.
CREATE TABLE embedding_changes (
  revision INTEGER PRIMARY KEY,
  episode  INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TABLE lift_changes (
  revision INTEGER PRIMARY KEY,
  episode  INTEGER NOT NULL UNIQUE
) STRICT;
