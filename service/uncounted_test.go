package service_test

import (
	"fmt"
	"strings"
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// long is a text of one word, which takes room and little time.
var long = strings.Repeat("x", 900_000)

// What is read for a number of it, and not answered, counts nothing against a request, however long it is.
func TestWhatIsNotAnsweredIsNotCounted(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for i := range 20 { // more than is in the memory at once
		input := servicetest.Refund(fmt.Sprintf("e%02d", i))
		input.TaskType, input.Outcome, input.Result = new("refund"), new(memory.OutcomeSuccess), &long
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
		_, err = svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{ID: new(fmt.Sprintf("o%02d", i)), Content: "kettle " + long})
		require.NoError(t, err)
	}
	ctx, budget, done := service.WithBudget(t.Context(), service.Limits{ReadBytes: 1 << 20})
	defer done()
	best, err := svc.Learning.SelectAgent(ctx, boundary.SelectionInput{TaskType: "refund", Situation: new("A customer wants a refund")}, false)
	require.NoError(t, err)
	assert.Equal(t, "support", best.AgentKey)
	found, err := svc.Retrieval.SearchObservations(ctx, boundary.ObservationSearch{Query: "kettle", MinWeight: new(0.1)}, reading.PageInput{First: new(1)})
	require.NoError(t, err)
	assert.Len(t, found.Items, 1)
	total, err := found.Total(ctx)
	require.NoError(t, err)
	assert.Equal(t, 20, total)
	require.NoError(t, budget.Err())
}

// Of what a recall leaves out it tells the ids, however much that is.
func TestIdsOfLongContextsAreNotCounted(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e"), boundary.Include{})
	require.NoError(t, err)
	var shown, said []string
	for i := range 21 { // more than is in the memory at once
		shown, said = append(shown, fmt.Sprintf("canvas:c%02d", i%3)), append(said, fmt.Sprintf("feedback:f%02d", i))
		_, err := svc.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{{
			CanvasID: shown[i], EpisodeID: new("e"), CanvasType: memory.CanvasForms, Action: memory.CanvasUpdate, Metadata: memory.JSON(`"` + long + `"`), At: new(servicetest.Noon),
		}}})
		require.NoError(t, err)
		_, err = svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{
			ID: &said[i], EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, Comment: &long,
		})
		require.NoError(t, err)
	}
	ctx, budget, done := service.WithBudget(t.Context(), service.Limits{ReadBytes: 1 << 20})
	defer done()
	found, err := svc.Retrieval.Recall(ctx, boundary.RecallInput{
		Situation: "refund", IncludeCanvas: new(false), IncludeFeedback: new(false), AsOf: new(servicetest.Noon),
	}, boundary.Include{Canvases: true, Feedback: true, CanvasIDs: true, FeedbackIDs: true})
	require.NoError(t, err)
	require.Len(t, found.Hits, 1)
	assert.Equal(t, shown[:3], found.Hits[0].Episode.Context.CanvasIDs)
	assert.Equal(t, said, found.Hits[0].Episode.Context.FeedbackIDs)
	require.NoError(t, budget.Err())
}

// Verdicts that are looked through are not counted, however long their plans are; those that are answered are.
func TestVerdictsThatAreLookedThroughAreNotCounted(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for i := range 20 { // more than is in the memory at once
		input := verdict(fmt.Sprint("section", i), 0, memory.VerdictApprove)
		input.ID, input.At, input.Plan = new(fmt.Sprintf("v%02d", i)), new(servicetest.Noon), memory.JSON(`"`+long+`"`)
		if i%5 == 2 {
			input.Context = memory.JSON(`{"energy":"high"}`)
		}
		judge(t, svc, input)
	}
	ctx, budget, done := service.WithBudget(t.Context(), service.Limits{ReadBytes: 5_000_000})
	defer done()
	filter := boundary.VerdictFilter{Context: memory.JSON(`{"energy":"high"}`)}
	page, err := svc.Judging.Verdicts(ctx, filter, reading.PageInput{First: new(2)})
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	assert.Equal(t, "v02", page.Items[0].Key)
	assert.True(t, page.HasNext)
	total, err := page.Total(ctx)
	require.NoError(t, err)
	assert.Equal(t, 4, total)
	require.NoError(t, budget.Err())
	page, err = svc.Judging.Verdicts(ctx, filter, reading.PageInput{})
	require.NoError(t, err)
	assert.Len(t, page.Items, 1, "no more than half of what is left")
	assert.True(t, page.HasNext)
}
