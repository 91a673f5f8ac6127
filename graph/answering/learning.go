package answering

import "mneme/service"

// bindLearning makes the loaders of what agents learn by.
func bindLearning(l *Loaders, tenant *service.Tenant) {
	bind(&l.Profiles, l.workers, ordered(tenant.Learning.AgentProfiles))
	bind(&l.Consistency, l.workers, ordered(tenant.Learning.Consistency))
	bind(&l.Runs, l.workers, tenant.Judging.RunsByKey)
	bind(&l.Sections, l.workers, tenant.Judging.SectionsByKey)
	bind(&l.RunSections, l.workers, ordered(tenant.Judging.RunSections))
	bind(&l.Verdicts, l.workers, tenant.Judging.VerdictsByKey)
}
