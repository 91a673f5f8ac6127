package service_test

import (
	"context"
	"strings"
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// secretName is a name that holds a secret.
const secretName = "run-" + testsecret.Planted

func TestNamesThatHoldASecretAreRefused(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	for field, input := range map[string]boundary.RecordEpisodeInput{
		"id":               {ID: new(secretName), AgentID: "a", Observation: "x"},
		"agentId":          {AgentID: secretName, Observation: "x"},
		"sessionId":        {AgentID: "a", SessionID: new(secretName), Observation: "x"},
		"taskType":         {AgentID: "a", TaskType: new(secretName), Observation: "x"},
		"executionIds.0":   {AgentID: "a", Observation: "x", EpisodeExtras: boundary.EpisodeExtras{ExecutionIDs: []string{secretName}}},
		"actions.0.stepId": {AgentID: "a", Actions: []boundary.ActionInput{{StepID: new(secretName), StepName: "s"}}, Observation: "x"},
	} {
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
		assert.NotContains(t, err.Error(), testsecret.Planted)
	}
	_, err := svc.Upkeep.Delete(t.Context(), memory.KindEpisode, boundary.DeleteInput{ID: secretName})
	servicetest.RequireCode(t, err, memory.CodeNotFound, "id")
}

func TestLabelsThatHoldASecretAreRefused(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	_, err := svc.Knowledge.CreateMemoir(t.Context(), boundary.CreateMemoirInput{ID: new("m"), Name: "m"})
	require.NoError(t, err)
	concept := boundary.AddConceptInput{ID: new("c"), MemoirID: "m", Name: "c", Content: "x", Labels: []string{"kept", "kept"}}
	kept, err := svc.Knowledge.AddConcept(t.Context(), concept)
	require.NoError(t, err)
	assert.Equal(t, []string{"kept"}, kept.Labels)
	for _, label := range []string{secretName, "password: " + testsecret.Planted, "<private>x</private>", " \t"} {
		for field, labels := range map[string][]string{"labels.0": {label}, "labels.1": {"kept", label}} {
			concept.ID, concept.Name, concept.Labels = new("d"), "d", labels
			_, added := svc.Knowledge.AddConcept(t.Context(), concept)
			_, refined := svc.Knowledge.RefineConcept(t.Context(), boundary.RefineConceptInput{ID: "c", Labels: &labels})
			for _, err := range []error{added, refined} {
				servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
				assert.NotContains(t, err.Error(), testsecret.Planted)
			}
		}
	}
	_, err = svc.Retrieval.SearchConcepts(t.Context(), boundary.ConceptSearch{Query: "x", Labels: []string{secretName}}, reading.PageInput{})
	require.NoError(t, err, "looking for one stays possible")
}

func TestATextIsNotKeptWhenItsRequestEnds(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := svc.Episodes.List(ctx, boundary.EpisodeFilter{}, memory.NewestFirst, reading.PageInput{}, boundary.Include{}) // the tenant is open
	require.NoError(t, err)
	cancel()
	_, err = svc.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{AgentID: "a", Observation: strings.Repeat("key====", 1000)}, boundary.Include{})
	require.ErrorIs(t, err, context.Canceled)
}
