// The last verdicts on a section that do not approve.
MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, section, at, key)
WHERE v.tenant = $tenant AND v.section = $section AND v.at >= $earliest AND v.key IS NOT NULL AND v.status <> $approval
WITH v ORDER BY v.iteration DESC, v.at DESC, v.key DESC LIMIT $limit
RETURN v
ORDER BY v.iteration, v.at, v.key
