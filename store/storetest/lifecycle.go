package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func (s suite) lifecycle(t *testing.T) {
	t.Run("an open backend is in order and says what it is", func(t *testing.T) {
		backend := s.open(t)
		require.NoError(t, backend.Check(t.Context()))
		require.NotEmpty(t, backend.Describe())
	})
	s.run(t, "a canceled context ends every call with its error", canceledCalls)
	s.run(t, "a deadline that has passed ends a call with its error", func(m *tenant) {
		ctx, cancel := context.WithDeadline(m.ctx(), time.Now().Add(-time.Second))
		defer cancel()
		_, err := store.Record(ctx, m, episodeRecords([]episodeDraft{episode("e1", at(0))}))
		m.ErrorIs(err, context.DeadlineExceeded)
		m.Nil(m.find("e1", 0, nil))
	})
	t.Run("closing twice is closing once, and then nothing is in order", func(t *testing.T) {
		backend := s.open(t)
		bind(t, backend, randomTenant()).record(episode("e1", at(0)))
		require.NoError(t, backend.Close(t.Context()))
		require.NoError(t, backend.Close(t.Context()))
		require.ErrorIs(t, backend.Check(t.Context()), store.ErrUnavailable)
	})
}

// everyCall is one call of every method of a Store. The writes are of new records.
func everyCall(m store.Store) map[string]func(context.Context) error {
	keys := []string{"e1"}
	return map[string]func(context.Context) error{
		"Record episodes": func(ctx context.Context) error {
			return fault(store.Record(ctx, m, episodeRecords([]episodeDraft{episode("new", at(0)).in("new")})))
		},
		"ConcludeEpisode": func(ctx context.Context) error {
			return m.ConcludeEpisode(ctx, conclusion("e1", memory.OutcomeSuccess))
		},
		"AmendEpisode": func(ctx context.Context) error { return m.AmendEpisode(ctx, amendment("e1")) },
		"HoldSpans": func(ctx context.Context) error {
			return errorOf(m.HoldSpans(ctx, []store.HeldSpan{held("new", "a", "")}, at(0), much))
		},
		"Record a failure": func(ctx context.Context) error {
			return fault(store.Record(ctx, m, []store.TraceFailure{{Trace: "t"}}))
		},
		"Delete a trace":          func(ctx context.Context) error { return errorOf(m.Delete(ctx, store.KindSpan, []string{"t"})) },
		"CountDoomed of a trace":  func(ctx context.Context) error { return errorOf(store.Count(ctx, m, store.SpansOf{Trace: "t"})) },
		"DueTraces":               func(ctx context.Context) error { return errorOf(tracesDue(ctx, m, store.DueTraces{}, 1)) },
		"HeldSpans":               func(ctx context.Context) error { return errorOf(heldSpans(ctx, m, "t", much)) },
		"Backlog":                 func(ctx context.Context) error { return errorOf(m.Backlog(ctx)) },
		"Reindex":                 func(ctx context.Context) error { return errorOf(m.Reindex(ctx, nil, nil)) },
		"ReleaseSpans":            func(ctx context.Context) error { return m.ReleaseSpans(ctx, "t", []string{"a"}) },
		"Get an episode whole":    func(ctx context.Context) error { return errorOf(store.GetOne[store.WholeEpisode](ctx, m, "e1")) },
		"Delete an episode":       func(ctx context.Context) error { return Delete(ctx, m, memory.KindEpisode, "e1") },
		"Delete a memoir":         func(ctx context.Context) error { return errorOf(m.Delete(ctx, memory.KindMemoir, []string{"m"})) },
		"CountDoomed of a person": func(ctx context.Context) error { return errorOf(m.CountSaid(ctx, "eve")) },
		"Get a tombstone": func(ctx context.Context) error {
			return errorOf(store.Get[store.Tombstone](ctx, m, []string{"episode:e1"}))
		},
		"Record canvas actions": func(ctx context.Context) error {
			return fault(store.Record(ctx, m, actionRecords([]actionDraft{present("new", at(0)).of("e1")})))
		},
		"Record feedback": func(ctx context.Context) error {
			return fault(store.Record(ctx, m, feedbackRecords([]feedbackDraft{thumbsUp("new", at(0)).on("e1")})))
		},
		"Record an agent": func(ctx context.Context) error { return nameAgent(ctx, m, memory.Agent{Key: "new"}) },
		"Backfill":        func(ctx context.Context) error { return errorOf(m.Backfill(ctx, nil)) },
		"InputKey":        func(ctx context.Context) error { return errorOf(m.InputKey(ctx)) },
		"Episodes":        func(ctx context.Context) error { return errorOf(m.Episodes(ctx, store.EpisodesByKey{Keys: keys})) },
		"Count episodes":  func(ctx context.Context) error { return errorOf(store.Count(ctx, m, store.EpisodeQuery{})) },
		"CountEvents":     func(ctx context.Context) error { return errorOf(store.Count(ctx, m, store.EventsOf{Episode: "e1"})) },
		"Linked": func(ctx context.Context) error {
			return errorOf(m.Linked(ctx, store.LinkedQuery{Episodes: keys, Link: memory.LinkNext}))
		},
		"CountLinked": func(ctx context.Context) error {
			return errorOf(m.CountLinked(ctx, store.LinkedQuery{Episodes: keys, Link: memory.LinkCauses}))
		},
		"Get canvases": func(ctx context.Context) error { return errorOf(store.Get[memory.Canvas](ctx, m, keys)) },
		"Count canvases": func(ctx context.Context) error {
			return errorOf(store.Count(ctx, m, store.CanvasesOf{Episode: &keys[0]}))
		},
		"Get feedback": func(ctx context.Context) error { return errorOf(store.Get[memory.Feedback](ctx, m, keys)) },
		"Count feedback": func(ctx context.Context) error {
			return errorOf(store.Count(ctx, m, store.FeedbackOf{Episode: &keys[0]}))
		},
		"Get agents":      func(ctx context.Context) error { return errorOf(store.Get[memory.Agent](ctx, m, keys)) },
		"Count agents":    func(ctx context.Context) error { return errorOf(store.Count(ctx, m, store.AllAgents{})) },
		"List task types": func(ctx context.Context) error { return errorOf(store.All(ctx, m, store.TaskTypesOf{Agents: keys})) },
		"Get sessions":    func(ctx context.Context) error { return errorOf(store.Get[memory.Session](ctx, m, keys)) },
		"VectorLength":    func(ctx context.Context) error { return errorOf(m.VectorLength(ctx)) },
		"PassagesByWords": func(ctx context.Context) error {
			return errorOfPage(m.PassagesByWords(ctx, []string{"x"}, store.Among{Kinds: textKinds, Limit: 1}))
		},
		"List agents": func(ctx context.Context) error { return errorOfPage(store.List(ctx, m, store.AllAgents{}, everything)) },
		"Events":      func(ctx context.Context) error { return errorOfPage(logOf(ctx, m, "e1", everything)) },
		"List episodes": func(ctx context.Context) error {
			return errorOfPage(store.List(ctx, m, store.EpisodeQuery{}, everything))
		},
		"List canvases": func(ctx context.Context) error {
			return errorOfPage(store.List(ctx, m, store.CanvasesOf{Agent: new("agent")}, everything))
		},
		"List feedback": func(ctx context.Context) error {
			return errorOfPage(store.List(ctx, m, store.FeedbackOf{Episode: &keys[0]}, everything))
		},
	}
}

func errorOf[T any](_ T, err error) error { return err }

func errorOfPage[T any](_ T, _ bool, err error) error { return err }

func canceledCalls(m *tenant) {
	m.record(episode("e1", at(0)).unconcluded())
	before := m.episode("e1", store.WithAgent, store.WithCanvases, store.WithFeedback)
	ctx, cancel := context.WithCancel(m.ctx())
	cancel()
	for name, call := range everyCall(m.Store) {
		m.ErrorIs(call(ctx), context.Canceled, name)
	}
	m.Equal(before, m.episode("e1", store.WithAgent, store.WithCanvases, store.WithFeedback))
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{}, memory.NewestFirst))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.False(m.hasSession("new"))
	canvases, err := store.Get[memory.Canvas](m.ctx(), m, []string{"new"})
	m.NoError(err)
	m.Equal([]*memory.Canvas{nil}, canvases)
}
