// The sessions that something waits in for an episode: all, or the given one.
MATCH (w:Waiting)
WHERE w.tenant = $tenant AND w.kind = 'session' AND ($session IS NULL OR w.key = $session)
RETURN w.key AS session
