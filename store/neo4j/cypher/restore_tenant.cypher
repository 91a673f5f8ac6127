MATCH (t:Tenant {key: $tenant})
SET t.inputKey = $inputKey
FOREACH (length IN CASE WHEN $length > 0 THEN [$length] ELSE [] END | SET t.vectorLength = coalesce(t.vectorLength, length))
