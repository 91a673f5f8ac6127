MATCH (v:Verdict) USING INDEX SEEK v:Verdict(tenant, judge, at, key)
WHERE v.tenant = $tenant AND v.judge IS NOT NULL AND v.at IS NOT NULL AND v.key IS NOT NULL
RETURN DISTINCT v.judge AS judge
