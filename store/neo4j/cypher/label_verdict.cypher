MATCH (v:Verdict {tenant: $tenant, key: $key})
SET v.label = $approve, v.labelledBy = $labelledBy
RETURN v.key AS key
