// Sets the end of an episode that has none yet, and tells how it went; verdict says why not where it does not.
MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.tenant = e.tenant
WITH e, CASE WHEN e.concluded THEN 'concluded' WHEN $properties.endedAt < e.startedAt THEN 'ends early' ELSE '' END AS verdict
FOREACH (open IN CASE WHEN verdict = '' THEN [e] ELSE [] END |
  SET open += $properties
  SET open.knownAt = coalesce(open.endedAt, open.startedAt))
RETURN verdict, {{template "ended.cypher" .}}
