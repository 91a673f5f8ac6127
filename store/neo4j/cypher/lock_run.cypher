// Locks a run that is to be completed; its verdicts are recorded under the same lock.
MATCH (r:Run {tenant: $tenant, key: $key})
SET r.tenant = r.tenant
RETURN r.completedAt IS NOT NULL AS completed, COUNT { (r)<-[:IN_RUN]-() } AS sections
