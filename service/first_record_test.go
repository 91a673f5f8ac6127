package service_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/upkeep"
	"mneme/store/sqlite"
)

// openedAt is a service as a process of its own has it.
func openedAt(t *testing.T, dir string) (*service.Service, *sqlite.Backend) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	svc := service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		assert.NoError(t, errors.Join(svc.Close(ctx), backend.Close(ctx)))
	})
	return svc, backend
}

// Who may ask of a tenant, as anybody may with a token that names one, makes none by it, nor by what is refused.
func TestATenantComesIntoBeingWithItsFirstRecord(t *testing.T) {
	t.Parallel()
	svc, backend := openedAt(t, t.TempDir())
	ctx := service.WithTenant(t.Context(), "acme")
	tenant, err := svc.Tenant(ctx)
	require.NoError(t, err)
	is := func(there bool) {
		t.Helper()
		has, err := backend.Has(ctx, "acme")
		require.NoError(t, err)
		assert.Equal(t, there, has)
	}
	_, err = tenant.Retrieval.Recall(ctx, boundary.RecallInput{Situation: "a late order"}, boundary.Include{})
	require.NoError(t, err)
	_, err = tenant.Retrieval.Search(ctx, "a late order", nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	_, err = tenant.Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: "refund", Situation: new("late")}, nil)
	require.NoError(t, err)
	svc.TrimEvents(ctx)
	svc.CloseIdle(ctx)
	is(false)

	missing := map[string]error{}
	_, missing["an agent to delete"] = tenant.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "a"})
	for _, id := range []string{"memoir:m", "concept:c", "episode:e", "feedback:f"} {
		_, missing[id+" to delete"] = tenant.Upkeep.DeleteAny(ctx, boundary.DeleteInput{ID: id})
	}
	_, missing["a memoir to add to"] = tenant.Knowledge.AddConcept(ctx, boundary.AddConceptInput{MemoirID: "m", Name: "n", Content: "c"})
	batch, err := tenant.Knowledge.AddConcepts(ctx, []boundary.AddConceptInput{{MemoirID: "m", Name: "n", Content: "c"}})
	require.NoError(t, err)
	require.Len(t, batch.Errors, 1)
	_, missing["a concept to refine"] = tenant.Knowledge.RefineConcept(ctx, boundary.RefineConceptInput{ID: "c", Content: new("c")})
	_, missing["concepts to link"] = tenant.Knowledge.LinkConcepts(ctx, boundary.LinkConceptsInput{SourceID: "c", TargetID: "d", Type: memory.RelationPartOf})
	_, missing["a verdict to label"] = tenant.Judging.LabelVerdict(ctx, boundary.LabelVerdictInput{VerdictID: "v"})
	_, missing["a run to complete"] = tenant.Judging.CompleteRun(ctx, boundary.CompleteRunInput{RunID: "r"})
	_, missing["an episode to conclude"] = tenant.Episodes.ConcludeEpisode(ctx, boundary.ConcludeEpisodeInput{ID: "e", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	for what, err := range missing {
		known, ok := errors.AsType[*memory.Error](err)
		require.True(t, ok, "%s: %v", what, err)
		assert.Equal(t, memory.CodeNotFound, known.Code, what)
	}
	said, err := tenant.Upkeep.DeleteFeedback(ctx, boundary.DeleteFeedbackInput{CreatedBy: new("ada")})
	require.NoError(t, err)
	assert.Zero(t, said.Deleted)
	_, err = tenant.Upkeep.Backfill(ctx, boundary.BackfillInput{})
	require.NoError(t, err)
	_, err = tenant.Upkeep.Reindex(ctx, nil)
	require.NoError(t, err)
	is(false)

	_, err = tenant.Learning.RecordExecution(ctx, boundary.RecordExecutionInput{AgentID: "a", TaskType: "t", Quality: 7})
	var refused *memory.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, memory.CodeInvalidInput, refused.Code)
	spans, err := tenant.Traces.RecordSpans(ctx, []boundary.TraceSpan{{Trace: "t"}})
	require.NoError(t, err)
	require.Zero(t, spans.Accepted)
	is(false)

	_, err = tenant.Knowledge.RecordObservation(ctx, boundary.RecordObservationInput{Content: "The order was late."})
	require.NoError(t, err)
	is(true)
}

// A server that was asked before an export was imported beside it hashes what it records with the key that came with
// that, so that a retry is known after it was started anew.
func TestTheKeyOfAnImportIsTakenByWhoWasAskedBefore(t *testing.T) {
	t.Parallel()
	from, _ := openedAt(t, t.TempDir())
	tenant, err := from.Tenant(t.Context())
	require.NoError(t, err)
	observation := boundary.RecordObservationInput{ID: new("o1"), Content: "The order was late."}
	_, err = tenant.Knowledge.RecordObservation(t.Context(), observation)
	require.NoError(t, err)
	var export []upkeep.Kept
	require.NoError(t, tenant.Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
		export = append(export, item)
		return nil
	}))

	dir := t.TempDir()
	server, _ := openedAt(t, dir)
	asked, err := server.Tenant(t.Context())
	require.NoError(t, err)
	_, err = asked.Retrieval.Search(t.Context(), "order", nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)

	importer, _ := openedAt(t, dir)
	into, err := importer.Tenant(t.Context())
	require.NoError(t, err)
	_, err = into.Upkeep.Restore(t.Context(), export, false)
	require.NoError(t, err)

	later := boundary.RecordObservationInput{ID: new("o2"), Content: "So was the next."}
	for _, again := range []boundary.RecordObservationInput{observation, later, later} {
		_, err = asked.Knowledge.RecordObservation(t.Context(), again)
		require.NoError(t, err)
	}
	anew, _ := openedAt(t, dir)
	tenant, err = anew.Tenant(t.Context())
	require.NoError(t, err)
	_, err = tenant.Knowledge.RecordObservation(t.Context(), later)
	require.NoError(t, err)
}
