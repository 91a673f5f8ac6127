// What tenants keep once, as it is.
MATCH (t:Tenant) WHERE t.key IS :: STRING NOT NULL
RETURN t.key AS tenant, t.inputKey AS inputKey, t.vectorLength AS vectorLength ORDER BY tenant
