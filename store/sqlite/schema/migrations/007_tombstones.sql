-- What was deleted for good: keyed hashes of global ids.
CREATE TABLE tombstones (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
