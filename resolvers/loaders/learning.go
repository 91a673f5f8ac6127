package loaders

import "mneme/service"

// bindLearning makes the loaders of what agents learn by.
func bindLearning(l *Loaders, tenant *service.Tenant) {
	bind(&l.Profiles, l.crew, ordered(tenant.AgentProfiles))
	bind(&l.Runs, l.crew, tenant.RunsByKey)
	bind(&l.Sections, l.crew, tenant.SectionsByKey)
	bind(&l.RunSections, l.crew, ordered(tenant.RunSections))
	bind(&l.Verdicts, l.crew, tenant.VerdictsByKey)
}
