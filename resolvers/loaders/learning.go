package loaders

import "mneme/service"

// bindLearning makes the loaders of what agents learn by.
func bindLearning(l *Loaders, svc *service.Service) {
	bind(&l.Profiles, &l.crew, ordered(svc.AgentProfiles))
	bind(&l.Runs, &l.crew, svc.RunsByKey)
	bind(&l.Sections, &l.crew, svc.SectionsByKey)
	bind(&l.RunSections, &l.crew, ordered(svc.RunSections))
	bind(&l.Verdicts, &l.crew, svc.VerdictsByKey)
}
