-- The episodes of a session, and its canvases and feedback, each in the order of time.
CREATE INDEX edges_episodes_in_session ON edges (target, at, source_ref)
  WHERE type = 'IN_SESSION' AND source_ref >= 'episode:' AND source_ref < 'episode;';
CREATE INDEX edges_reactions_in_session ON edges (target, at, source_ref)
  WHERE type = 'IN_SESSION' AND source_ref < 'feedback;' AND (source_ref < 'episode:' OR source_ref >= 'feedback:');
