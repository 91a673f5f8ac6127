MATCH (e:Episode {tenant: $tenant, key: $key})
SET e.words = $words
FOREACH (boosted IN CASE WHEN e.boosted IS NULL THEN [] ELSE [e] END | SET boosted.boosted = $words)
