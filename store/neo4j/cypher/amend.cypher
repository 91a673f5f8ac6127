// Replaces what an episode says, unless it is another than the caller saw; verdict says why not where it
// does not. An outcome that is set stays, with the end and the quality. What was deleted while we waited for its lock
// has no properties any more.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e WHERE e.tenant IS NOT NULL
WITH e, CASE WHEN e.inputHash <> $wasHash OR e.concluded <> $wasConcluded THEN 'changed'
             WHEN $ending.endedAt < e.startedAt THEN 'ends early' ELSE '' END AS verdict
FOREACH (amended IN CASE WHEN verdict = '' THEN [e] ELSE [] END | SET amended += $properties)
FOREACH (open IN CASE WHEN verdict = '' AND NOT $wasConcluded THEN [e] ELSE [] END |
  SET open += $ending
  SET open.knownAt = coalesce(open.endedAt, open.startedAt))
RETURN verdict, {{template "ended.cypher" .}},
  e { .tenant, .key, .title, .observation, .result, .insight, .agent, .session, .taskType, .outcome, .startedAt } AS said
