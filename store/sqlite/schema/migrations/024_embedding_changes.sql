-- Which episodes' embeddings were written or taken away since this is kept, each where it was last, so that who keeps them in
-- memory sees what is new. None comes twice.
CREATE TABLE embedding_changes (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  episode  INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER embeddings_added AFTER INSERT ON embeddings
BEGIN
  DELETE FROM embedding_changes WHERE episode = NEW.episode;
  INSERT INTO embedding_changes (episode) VALUES (NEW.episode);
END;

CREATE TRIGGER embeddings_changed AFTER UPDATE ON embeddings
BEGIN
  DELETE FROM embedding_changes WHERE episode = NEW.episode;
  INSERT INTO embedding_changes (episode) VALUES (NEW.episode);
END;

CREATE TRIGGER embeddings_removed AFTER DELETE ON embeddings
BEGIN
  DELETE FROM embedding_changes WHERE episode = OLD.episode;
  INSERT INTO embedding_changes (episode) VALUES (OLD.episode);
END;
