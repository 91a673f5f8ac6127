// Archived executions of a profile, the latest first, that are older than a position.
MATCH (x:Execution) USING INDEX SEEK x:Execution(tenant, profile, at, key)
WHERE x.tenant = $tenant AND x.profile = $profile AND x.at <= $until AND x.key IS NOT NULL
  AND CASE x.at WHEN $afterAt THEN x.key < $afterKey ELSE true END
RETURN x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC LIMIT $limit
