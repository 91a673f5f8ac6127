// The sessions that something waits in for an episode: all, or the given one.
MATCH (w:Waiting) USING INDEX SEEK w:Waiting(tenant, kind, key)
WHERE w.tenant = $tenant AND w.kind = 'session' AND w.key IS NOT NULL AND ($session IS NULL OR w.key = $session)
RETURN w.key AS session
