// Takes back the labels that a person gave to verdicts.
MATCH (v:Verdict)
WHERE v.tenant = $tenant AND v.key > '' AND v.labelledBy = $person
SET v.label = null, v.labelledBy = null
RETURN count(v) AS labels
