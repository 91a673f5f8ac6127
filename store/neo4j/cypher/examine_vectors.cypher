// The lengths of the tenants' vectors.
MATCH (t:Tenant) WHERE t.vectorLength IS NOT NULL
RETURN DISTINCT t.vectorLength AS length ORDER BY length
