// Sets the end of an episode that has none yet, and tells how it went; verdict says why not where it does not.
// What was deleted while we waited for its lock has no properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
WITH e, CASE WHEN e.concluded THEN 'concluded' WHEN $properties.endedAt < e.startedAt THEN 'ends early' ELSE '' END AS verdict
FOREACH (open IN CASE WHEN verdict = '' THEN [e] ELSE [] END |
  SET open += $properties
  SET open.knownAt = coalesce(open.endedAt, open.startedAt))
RETURN verdict, {{template "ended.cypher" .}},
  e { .tenant, .key, .title, .observation, .result, .insight, .agent, .session, .taskType, .outcome, .startedAt } AS said
