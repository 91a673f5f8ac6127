-- The episodes that a boost of the recall may lift, by time: of many matches these are looked at first. It
-- holds all that is asked for, so that the episodes themselves are not read.
CREATE INDEX episodes_lifted ON episodes (started_at, canvas_action_count, feedback_sum, feedback_count)
  WHERE canvas_action_count > 0 OR feedback_sum > 0;
