UNWIND $keys AS key
MATCH (f:Feedback {tenant: $tenant, key: key})
RETURN f
