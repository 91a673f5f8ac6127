-- Whether an approach was seen in plans, and no verdict named it so far.
ALTER TABLE patterns ADD COLUMN mined INTEGER NOT NULL DEFAULT 0;
