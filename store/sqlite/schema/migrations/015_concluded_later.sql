-- Whether an episode was recorded open and concluded later: it was under way when it was recorded. Of what was concluded
-- before this, nothing tells.
ALTER TABLE episodes ADD COLUMN concluded_later INTEGER NOT NULL DEFAULT 0;
