package storetest

import (
	"testing"

	"mneme/store"
)

// RunLearning runs the part of the suite that is about store.Learning, and about what the episodes' own
// writes do to it. The function open is as for Run.
func RunLearning(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	groups := []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Executions", s.executions},
		{"Windows", s.windows},
		{"Profiles", s.profiles},
		{"EpisodesAsExecutions", s.episodesAsExecutions},
		{"AgentRecords", s.agentRecords},
		{"EpisodeOutcomes", s.episodeOutcomes},
		{"LearningLinks", s.learningLinks},
		{"LearningAsOf", s.learningAsOf},
		{"LearningLaws", s.learningLaws},
		{"LearningTogether", s.learningTogether},
	}
	for _, group := range groups {
		t.Run(group.name, group.run)
	}
}
