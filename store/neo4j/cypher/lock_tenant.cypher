// Brings a tenant's node into being where it is gone, and locks it.
MERGE (t:Tenant {key: $tenant})
SET t.key = t.key
RETURN t.inputKey AS inputKey
