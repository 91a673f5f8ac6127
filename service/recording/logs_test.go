package recording_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recording"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// eventAt is an event of a log, a minute after the one before it.
func eventAt(i int, kind, data string) boundary.EventInput {
	return boundary.EventInput{Sequence: &i, Type: kind, Data: memory.JSON(data), At: servicetest.Noon.Add(time.Duration(i) * time.Minute)}
}

// ownWords are what an episode says, without its key and what goes by it.
func ownWords(e *memory.Episode) memory.Episode {
	own := *e
	own.Key, own.Context = "", nil
	return own
}

func TestALogIsTheSameHoweverItIsSplit(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	next := 0
	rapid.Check(t, func(t *rapid.T) {
		next++
		whole, parts := fmt.Sprint("whole-", next), fmt.Sprint("parts-", next)
		length := rapid.IntRange(1, 40).Draw(t, "length")
		log := make([]boundary.EventInput, length)
		for i := range log {
			kind := rapid.SampledFrom([]string{"agent_thought", "step_completed", "task_completed", "tick", "workflow_started"}).Draw(t, "type")
			log[i] = eventAt(i, kind, fmt.Sprintf(`{"thought":"<private>x</private> %d","step_name":"s","args":%d}`, i, i))
			log[i].At = servicetest.Noon.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "minute")) * time.Minute)
		}
		log[length-1].Type = rapid.SampledFrom([]string{"workflow_completed", "workflow_failed"}).Draw(t, "end")
		run := boundary.CaptureRunInput{
			AgentID: "ada", WorkflowName: new("refund"), SessionID: new("s"),
			EpisodeExtras: boundary.EpisodeExtras{Metadata: memory.JSON(`{"a":1}`), Quality: new(0.5), ExecutionIDs: []string{}},
		}
		if rapid.Bool().Draw(t, "said") {
			run.Insight = new("It was said.")
		}
		run.RunID, run.Events = whole, log
		want, err := svc.Episodes.CaptureRun(t.Context(), run, boundary.Include{})
		require.NoError(t, err)

		run.RunID, run.Append = parts, true
		order := rapid.Permutation(slices.Repeat(sequences(length), rapid.IntRange(1, 2).Draw(t, "times"))).Draw(t, "order")
		var got *memory.Episode
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(t, "part")
			run.Events = nil
			for _, i := range order[:n] {
				run.Events = append(run.Events, log[i])
			}
			order = order[n:]
			got, err = svc.Episodes.CaptureRun(t.Context(), run, boundary.Include{})
			require.NoError(t, err)
		}
		got.ConcludedLater = false // it was open until the log was whole
		require.Equal(t, ownWords(want), ownWords(got))
		kept, err := svc.Episodes.Replay(t.Context(), parts, reading.PageInput{First: new(100)})
		require.NoError(t, err)
		all, err := svc.Episodes.Replay(t.Context(), whole, reading.PageInput{First: new(100)})
		require.NoError(t, err)
		require.Equal(t, all.Items, kept.Items)
	})
}

func sequences(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func part(events ...boundary.EventInput) boundary.CaptureRunInput {
	return boundary.CaptureRunInput{RunID: "r", AgentID: "ada", WorkflowName: new("refund"), Append: true, Events: events}
}

func TestAppendedRuns(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	capture := func(input boundary.CaptureRunInput) (*memory.Episode, error) {
		return svc.Episodes.CaptureRun(t.Context(), input, boundary.Include{})
	}
	e, err := capture(part(eventAt(2, "agent_thought", `{"thought":"second"}`)))
	require.NoError(t, err)
	require.Equal(t, memory.OutcomeUnknown, e.Outcome)
	require.Empty(t, e.Thoughts, "what follows from a log is told at its end")

	_, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "r", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
	require.ErrorContains(t, err, "lacks the events 0 to 1")
	require.ErrorIs(t, err, recording.ErrLogLacks)
	_, err = capture(part(eventAt(2, "agent_thought", `{"thought":"another"}`)))
	servicetest.RequireCode(t, err, memory.CodeConflict, "events.0.sequence")
	other := part(eventAt(0, "x", ""))
	other.WorkflowName = nil
	_, err = capture(other)
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
	for _, wrong := range []boundary.EventInput{{Type: "x", At: servicetest.Noon}, eventAt(-1, "x", ""), eventAt(100_000, "x", "")} {
		_, err = capture(part(wrong))
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, "events.0.sequence")
	}
	_, err = capture(part())
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "events")
	_, err = capture(part(make([]boundary.EventInput, 1001)...))
	servicetest.RequireCode(t, err, memory.CodeLimitExceeded, "events")
	whole := part(eventAt(0, "x", ""), eventAt(2, "y", ""))
	whole.Append, whole.RunID = false, "other"
	_, err = capture(whole)
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "events.1.sequence")

	_, err = capture(part(eventAt(0, "workflow_started", `{"args":{"n":1}}`), eventAt(1, "agent_thought", `{"thought":"first"}`)))
	require.NoError(t, err)
	e, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{
		ID: "r", Outcome: memory.OutcomeFailure, Result: new("given up"), EndedAt: new(servicetest.Noon.Add(time.Hour)),
	}, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, []string{"first", "second"}, e.Thoughts)
	require.Equal(t, `Workflow started with args: {"n":1}`, e.Observation)
	require.Equal(t, `{"n":1}`, e.Title)
	require.Equal(t, servicetest.Noon, e.StartedAt)
	require.Equal(t, "given up", *e.Result)
	require.True(t, e.Concluded)
	told, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "r", Outcome: memory.OutcomeFailure, Result: new("given up")}, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, e, told)
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "r", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
	_, err = capture(part(eventAt(3, "x", "")))
	servicetest.RequireCode(t, err, memory.CodeConflict, "events")
	again, err := capture(part(eventAt(1, "agent_thought", `{"thought":"first"}`)))
	require.NoError(t, err)
	require.Equal(t, e, again)
}

func TestALongLogTellsOfItsBeginAndEnd(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	const events, each = 3000, 500
	parts := make([]boundary.CaptureRunInput, 0, events/each)
	for from := 0; from < events; from += each {
		input := part()
		for i := from; i < from+each; i++ {
			input.Events = append(input.Events, eventAt(i, "step_completed", fmt.Sprintf(`{"step_name":"s%d"}`, i)))
		}
		parts = append(parts, input)
	}
	last := &parts[len(parts)-1].Events[each-1]
	last.Type, last.Data = "workflow_completed", memory.JSON(`{"result":"`+strings.Repeat("x", 10)+`"}`)
	rand.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	var e *memory.Episode
	for _, input := range parts {
		var err error
		e, err = svc.Episodes.CaptureRun(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
	}
	require.Equal(t, memory.OutcomeSuccess, e.Outcome)
	require.Len(t, e.Actions, 1000)
	require.Equal(t, "s499", e.Actions[499].StepName)
	require.Equal(t, "s2499", e.Actions[500].StepName)
	require.Equal(t, "s2998", e.Actions[999].StepName)
}

// busy is a store whose logs are always added to while one is read.
type busy struct{ store.Backend }

type busyStore struct{ store.Store }

func (b busy) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := b.Backend.Tenant(ctx, id)
	return busyStore{bound}, err
}

func (s busyStore) AmendEpisode(context.Context, store.EpisodeAmendment) error {
	return store.ErrConflict
}

func TestALogThatIsAddedToAllTheTimeIsTriedAgain(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	svc := servicetest.Bind(t.Context(), t, service.New(busy{backend}))
	_, err = svc.Episodes.CaptureRun(t.Context(), part(eventAt(0, "workflow_completed", "")), boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeUnavailable, "")
	require.ErrorContains(t, err, "try again")
}

// slow is a store that notes how many logs are read, and at once.
type slow struct {
	store.Backend
	now, most, all *atomic.Int32
}

type slowStore struct {
	store.Store
	of slow
}

func (b slow) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := b.Backend.Tenant(ctx, id)
	return slowStore{bound, b}, err
}

func (s slowStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	if _, is := of.(*store.WholeEpisode); !is {
		return s.Store.Get(ctx, of, keys)
	}
	if now := s.of.now.Add(1); now > s.of.most.Load() {
		s.of.most.Store(now)
	}
	s.of.all.Add(1)
	defer s.of.now.Add(-1)
	time.Sleep(10 * time.Millisecond)
	return s.Store.Get(ctx, of, keys)
}

func TestOneLogIsReadAtATime(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	counted := slow{backend, new(atomic.Int32), new(atomic.Int32), new(atomic.Int32)}
	svc := servicetest.Bind(t.Context(), t, service.New(counted))
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			input := part(eventAt(0, "workflow_completed", ""))
			input.RunID = fmt.Sprint(i)
			_, err := svc.Episodes.CaptureRun(t.Context(), input, boundary.Include{})
			assert.NoError(t, err)
		})
	}
	group.Wait()
	require.Equal(t, int32(1), counted.most.Load())

	_, err = svc.Episodes.CaptureRun(t.Context(), part(eventAt(0, "agent_thought", "")), boundary.Include{})
	require.NoError(t, err)
	before := counted.all.Load()
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "r", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, before+1, counted.all.Load(), "a conclusion reads the log once")
}

// A run that turns out to begin before its cause is refused with the part that says so, and goes on without it.
func TestALogThatBeginsBeforeItsCauseIsRefused(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{
		ID: new("cause"), AgentID: "ada", Observation: "seen", Outcome: new(memory.OutcomeSuccess), StartedAt: new(servicetest.Noon.Add(30 * time.Second)),
	}, boundary.Include{})
	require.NoError(t, err)
	run := part(eventAt(1, "agent_thought", `{}`), eventAt(2, "workflow_completed", `{}`))
	run.CausedBy = []string{"cause"}
	_, err = svc.Episodes.CaptureRun(t.Context(), run, boundary.Include{})
	require.NoError(t, err)
	run.Events = []boundary.EventInput{eventAt(0, "workflow_started", `{}`)}
	_, err = svc.Episodes.CaptureRun(t.Context(), run, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "causedBy")
	run.Events[0].At = servicetest.Noon.Add(30 * time.Second)
	e, err := svc.Episodes.CaptureRun(t.Context(), run, boundary.Include{})
	require.NoError(t, err)
	require.True(t, e.Concluded)
	require.Equal(t, run.Events[0].At, e.StartedAt)
}
