package answering

import "mneme/service"

// bindLearning makes the loaders of what agents learn by.
func bindLearning(l *Loaders, tenant *service.Tenant) {
	bind(&l.Profiles, l.crew, ordered(tenant.Learning.AgentProfiles))
	bind(&l.Runs, l.crew, tenant.Judging.RunsByKey)
	bind(&l.Sections, l.crew, tenant.Judging.SectionsByKey)
	bind(&l.RunSections, l.crew, ordered(tenant.Judging.RunSections))
	bind(&l.Verdicts, l.crew, tenant.Judging.VerdictsByKey)
}
