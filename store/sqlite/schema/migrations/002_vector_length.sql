-- The first vector fixes the length of all, also after it is gone.
INSERT INTO settings (name, value) SELECT 'vector_length', length(vector) / 4 FROM embeddings LIMIT 1;
