MERGE (t:Tenant {key: $tenant})
ON CREATE SET t.inputKey = $inputKey, t.token = $token
RETURN t.inputKey AS inputKey
