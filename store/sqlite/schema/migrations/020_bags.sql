-- What a record says as a bag of stems (package matching), by which it is scored. The indexes of words only say who has a
-- stem: they keep neither places nor lengths, of one text with each stem once. They are made anew, with the counts
-- of stems, where the lengths of all bags of a kind come under a space.
CREATE TABLE bags (
  id  INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  bag TEXT NOT NULL
) STRICT;

DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5 (
  stems,
  content = '', columnsize = 0, detail = none,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);

DROP TABLE notes;
CREATE VIRTUAL TABLE notes USING fts5 (
  stems,
  content = '', columnsize = 0, detail = none,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1);

DELETE FROM stems;
DELETE FROM settings WHERE name = 'analysis';
