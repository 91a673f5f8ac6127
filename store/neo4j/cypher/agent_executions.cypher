// The executions of an agent that are no episodes, and when those were that are archived.
MATCH (:Agent {tenant: $tenant, key: $key})<-[:OF]-(:LearningProfile)<-[:OF]-(x:Execution)
WHERE NOT x.key STARTS WITH 'episode:'
RETURN x.key AS key, x.at AS at
