// The tenants that have episodes with a task type.
MATCH (e:Episode) WHERE e.taskType IS NOT NULL
RETURN DISTINCT e.tenant AS tenant
