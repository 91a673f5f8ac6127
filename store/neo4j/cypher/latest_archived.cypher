// The latest archived execution of a profile.
MATCH (x:Execution) USING INDEX x:Execution(tenant, profile, at, key)
WHERE x.tenant = $tenant AND x.profile = $profile AND x.at <= $until AND x.key IS NOT NULL
RETURN x ORDER BY x.tenant DESC, x.profile DESC, x.at DESC, x.key DESC LIMIT 1
