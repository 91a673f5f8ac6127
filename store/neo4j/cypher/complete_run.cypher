// Completes a run, and lets every issue of its types of sections know how many sections there were of the
// type, those that the run did not have too.
CALL () {
  MATCH (r:Run {tenant: $tenant, key: $key})
  SET r.completedAt = $at
}
CALL () {
  UNWIND $types AS type
  MATCH (p:Pattern) USING INDEX SEEK p:Pattern(tenant, kind, sectionType, rate, total, key)
  WHERE p.tenant = $tenant AND p.kind = $issue AND p.sectionType = type.key AND p.rate >= 0 AND p.total >= 0 AND p.key IS NOT NULL
    AND p.total <> type.sections
  WITH p, CASE WHEN p.hits > type.sections THEN p.hits ELSE type.sections END AS total
  SET p.total = total, p.rate = coalesce(toFloatOrNull(p.hits) / total, p.rate)
}
