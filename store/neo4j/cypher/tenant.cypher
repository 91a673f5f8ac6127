MERGE (t:Tenant {key: $tenant})
ON CREATE SET t.inputKey = $inputKey
RETURN t.inputKey AS inputKey
