// The episodes and sessions of feedback, before it is locked.
UNWIND $keys AS key
MATCH (f:Feedback {tenant: $tenant, key: key})
RETURN f.key AS key, f.episode AS episode, f.session AS session
