// Counts profiles that do not sum up the executions that are linked with them.
MATCH (p:LearningProfile)
WHERE p.total <> COUNT { (p)<-[:OF]-(:Execution) } OR size(p.windowKeys) <> CASE WHEN p.total < 100 THEN p.total ELSE 100 END
   OR p.total - size(p.windowKeys) <> COUNT { (p)<-[:OF]-(x:Execution) WHERE x.at IS NOT NULL }
RETURN p.tenant AS tenant, count(*) AS faults
