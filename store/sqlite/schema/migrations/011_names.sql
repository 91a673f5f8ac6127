-- Tables named after what they hold: which episode covers an execution, and every execution.
ALTER TABLE executions RENAME TO episode_executions;
DROP INDEX executions_by_episode;
CREATE INDEX episode_executions_by_episode ON episode_executions (episode);
ALTER TABLE registry RENAME TO executions;
