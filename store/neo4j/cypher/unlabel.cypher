// Takes back the labels that a person gave to verdicts.
UNWIND $keys AS key
MATCH (v:Verdict {tenant: $tenant, key: key})
WHERE v.labelledBy = $person
SET v.label = null, v.labelledBy = null
RETURN count(v) AS labels
