package service_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/redact"
	"mneme/memory"
	"mneme/service"
	"mneme/store/sqlite"
)

// secretName is a name that holds a secret, put together here so that a scanner of this repository finds none.
const secretName = "run-ghp" + "_q8Zr5Kd0Xw3Lm7Pv2Nc9Jt4Hs6Gb1Fy8Rk5U"

func openRedacting(t *testing.T) *service.Service {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	svc := service.New(backend, service.WithRedaction(redact.Rules()))
	t.Cleanup(func() { assert.NoError(t, svc.Close(context.Background())) })
	return svc
}

func TestNamesThatHoldASecretAreRefused(t *testing.T) {
	svc := openRedacting(t)
	for field, input := range map[string]service.RecordEpisodeInput{
		"id":               {ID: new(secretName), AgentID: "a", Observation: "x"},
		"agentId":          {AgentID: secretName, Observation: "x"},
		"sessionId":        {AgentID: "a", SessionID: new(secretName), Observation: "x"},
		"taskType":         {AgentID: "a", TaskType: new(secretName), Observation: "x"},
		"executionIds.0":   {AgentID: "a", ExecutionIDs: []string{secretName}, Observation: "x"},
		"actions.0.stepId": {AgentID: "a", Actions: []service.ActionInput{{StepID: new(secretName), StepName: "s"}}, Observation: "x"},
	} {
		_, err := svc.RecordEpisode(t.Context(), input, service.Include{})
		requireCode(t, err, memory.CodeInvalidInput, field)
		assert.NotContains(t, err.Error(), secretName[4:])
	}
	_, err := svc.DeleteEpisode(t.Context(), service.DeleteEpisodeInput{ID: secretName})
	requireCode(t, err, memory.CodeNotFound, "id")
}

func TestATextIsNotKeptWhenItsRequestEnds(t *testing.T) {
	svc := openRedacting(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := svc.Episodes(ctx, service.EpisodeFilter{}, service.StartedAtDesc, service.PageInput{}, service.Include{}) // the tenant is open
	require.NoError(t, err)
	cancel()
	_, err = svc.RecordEpisode(ctx, service.RecordEpisodeInput{AgentID: "a", Observation: strings.Repeat("key====", 1000)}, service.Include{})
	require.ErrorIs(t, err, context.Canceled)
}
