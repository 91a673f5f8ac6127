// The lengths of the tenants' vectors.
MATCH (t:Tenant) WHERE t.vectorLength IS :: INTEGER NOT NULL AND t.vectorLength > 0 AND t.vectorLength <= $most
RETURN DISTINCT t.vectorLength AS length ORDER BY length
