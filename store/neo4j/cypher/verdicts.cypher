UNWIND $keys AS key
MATCH (v:Verdict {tenant: $tenant, key: key})
RETURN v
