package service_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/storetest"
)

// large is a step whose result has about a MiB.
func large(id string) capture.Span {
	span := step(id, "read_file", 1)
	span.Gave = memory.JSON(`"` + strings.Repeat("x ", 1<<19-500) + `"`)
	return span
}

func TestFullTraceRefusesMore(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	for i := range 15 {
		assert.Equal(t, 1, tr.send(large(fmt.Sprint(i))).Accepted)
	}
	recorded := tr.send(large("a"), large("b"), step("c", "refund", 3))
	assert.Equal(t, 2, recorded.Accepted)
	assert.Equal(t, 1, recorded.Rejected)
	servicetest.RequireCode(t, recorded.Reason, memory.CodeLimitExceeded, "traceId")
	assert.Equal(t, 1, tr.send(root()).Accepted, "which says how it ended")
	assert.False(t, tr.finish(time.Hour))
	assert.Equal(t, 17, len(tr.episode().Actions)) // which would print them
	assert.Equal(t, "support", tr.episode().AgentKey)
	assert.Equal(t, 1, tr.send(large("d")).Rejected, "the episode has it all")
}

// A data directory of an earlier version may hold more of a trace than is kept now.
func TestTraceThatWasHeldWithoutBound(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	held := []store.HeldSpan{{Trace: traceKey, Span: root()}}
	held[0].Span.ID = "ff"
	for i := range 40 {
		held = append(held, store.HeldSpan{Trace: traceKey, Span: large(fmt.Sprintf("b%02d", i))})
	}
	bound, err := tr.backend.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	_, err = bound.HoldSpans(t.Context(), held, tr.now, store.TraceRoom{Spans: 1000, Bytes: 1 << 30})
	require.NoError(t, err)
	assert.False(t, tr.finish(time.Hour))
	e := tr.episode()
	assert.Equal(t, "support", e.AgentKey)
	assert.Equal(t, memory.OutcomeSuccess, e.Outcome)
	assert.InDelta(t, 17, len(e.Actions), 1)
}

func TestHeldSpansOfAForgottenAgentAreLetGo(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.send(root(), step("02", "get_order", 1))
	_, err := tr.Upkeep.Delete(t.Context(), memory.KindAgent, boundary.DeleteInput{ID: "support"})
	require.NoError(t, err)
	tr.send(step("03", "refund", 3), root())
	assert.False(t, tr.finish(24*time.Hour))
	assert.Nil(t, tr.episode())
}

// deleting deletes the episode that is about to be amended.
type deleting struct{ store.Backend }

func (d *deleting) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := d.Backend.Tenant(ctx, id)
	return &deletingStore{bound}, err
}

type deletingStore struct{ store.Store }

func (d *deletingStore) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	if err := storetest.Delete(ctx, d, memory.KindEpisode, amendment.Episode.Key); err != nil {
		return err
	}
	return d.Store.AmendEpisode(ctx, amendment)
}

func TestEpisodeThatIsDeletedWhileItIsAmendedStaysDeleted(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.send(root())
	tr.finish(time.Hour)
	require.NotNil(t, tr.episode())
	tr.send(root(), step("02", "get_order", 1))

	opened := service.New(&deleting{Backend: tr.backend}, service.WithTraceWaits(capture.TraceWaits{Quiet: time.Hour, Silence: time.Hour}),
		service.WithClock(func() time.Time { return tr.now.Add(time.Hour) }), service.WithLogger(slog.New(slog.DiscardHandler)))
	svc := servicetest.Bind(t.Context(), t, opened)
	more, err := svc.Traces.Finish(t.Context())
	require.NoError(t, err)
	assert.False(t, more)
	assert.Nil(t, tr.episode())
	require.NoError(t, opened.Close(context.Background()))
}

// growing adds to an episode that is about to be concluded.
type growing struct {
	store.Backend
	grow func()
}

func (g *growing) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := g.Backend.Tenant(ctx, id)
	return &growingStore{bound, g}, err
}

type growingStore struct {
	store.Store
	by *growing
}

func (g *growingStore) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	if g.by.grow != nil {
		g.by.grow()
		g.by.grow = nil
	}
	return g.Store.ConcludeEpisode(ctx, conclusion)
}

// Models take their time: what was said of an episode meanwhile is part of how it is concluded.
func TestWhatComesWhileAnEpisodeIsConcludedIsKept(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	model := step("02", "model", 1)
	model.Kind, model.Given = capture.SpanModel, memory.JSON(`"Refund order 17"`)
	tr.send(model)
	tr.finish(24 * time.Hour)
	before := tr.episode()
	require.False(t, before.Concluded)
	refund := step("03", "refund", 3)
	refund.Given = memory.JSON(`"<private>4111</private>, and what an order of seventeen pieces says"`)
	opened := service.New(&growing{tr.backend, func() {
		tr.send(refund)
		tr.finish(24 * time.Hour)
	}}, service.WithLogger(slog.New(slog.DiscardHandler)))
	svc := servicetest.Bind(t.Context(), t, opened)
	after, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: before.Key, Outcome: memory.OutcomeFailure, Result: new("It was late.")}, boundary.Include{})
	require.NoError(t, err)
	assert.Equal(t, memory.OutcomeFailure, after.Outcome)
	require.Len(t, after.Actions, 1)
	assert.Contains(t, after.Insight, "refund")
	assert.Equal(t, []memory.Redaction{{Kind: "private", Count: 1}}, after.Receipt.Redactions)
	require.NoError(t, opened.Close(context.Background()))
}

// Spans that a clock said to arrive later than it says now do not wait until then.
func TestSpansOfAClockThatWasSetBackAreNotHeld(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	tr.now = tr.now.Add(48 * time.Hour)
	tr.send(root(), step("02", "get_order", 1))
	tr.now = tr.now.Add(-48 * time.Hour)
	tr.finish(0)
	require.NotNil(t, tr.episode())
}
