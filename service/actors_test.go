package service_test

import (
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service/boundary"
)

// A ranking may name an agent that is deleted before its name is read; that is no fault of whoever asked.
func TestAgentsOfRecordsMayBeGone(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := ended("e1")
	input.AgentName = new("Support desk")
	_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
	agents, err := svc.Agents.ByKey(t.Context(), []string{"gone", "support"})
	require.NoError(t, err)
	require.Equal(t, []*memory.Agent{{Key: "gone", Name: "gone"}, {Key: "support", Name: "Support desk"}}, agents)
}
