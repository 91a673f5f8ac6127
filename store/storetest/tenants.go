package storetest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func (s suite) tenants(t *testing.T) {
	t.Run("an id outside the alphabet is invalid", s.badTenants)
	t.Run("an id within the alphabet is a tenant", s.goodTenants)
	s.run(t, "a tenant that was never written to is empty", emptyTenant)
	t.Run("a tenant comes into being with its first write", s.firstWrites)
	t.Run("a tenant is due while spans of it are held", s.dueTenants)
	t.Run("tenants with the same keys never see each other", s.separateTenants)
	t.Run("what waits in one tenant is not linked in another", s.separateWaits)
	t.Run("the input key is made once per tenant", s.inputKeys)
	t.Run("a store bound again is the same tenant", func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		bind(t, backend, id).record(episode("e1", at(0)))
		require.NotNil(t, bind(t, backend, id).episode("e1"))
	})
}

func (s suite) badTenants(t *testing.T) {
	backend := s.open(t)
	for _, id := range []string{
		"", strings.Repeat("a", 65), "A", "aB", "a b", "-a", "_a", "é", "a/b", "..", "a.b", "a\x00b", "a\n", "a'b", "%61", "ａ",
	} {
		_, err := backend.Tenant(t.Context(), id)
		require.ErrorIs(t, err, store.ErrInvalid, "%q", id)
	}
}

func (s suite) firstWrites(t *testing.T) {
	backend := s.open(t)
	for what, write := range map[string]func(ctx context.Context, m store.Store) error{
		"an input key": func(ctx context.Context, m store.Store) error { return errorOf(m.InputKey(ctx)) },
		"an agent": func(ctx context.Context, m store.Store) error {
			return nameAgent(ctx, m, memory.Agent{Key: "ada", Name: "Ada"})
		},
		"a threshold of a judge": func(ctx context.Context, m store.Store) error {
			return applyJudgeThreshold(ctx, m, memory.JudgeThreshold{JudgeKey: "j", Threshold: new(7.0), At: at(0)})
		},
		"a span": func(ctx context.Context, m store.Store) error {
			return errorOf(m.HoldSpans(ctx, []store.HeldSpan{held("t", "root", "")}, at(0), much))
		},
	} {
		t.Run(what, func(t *testing.T) {
			id := randomTenant()
			m, err := backend.Tenant(t.Context(), id)
			require.NoError(t, err)
			for _, step := range []struct {
				do  func() error
				has bool
			}{
				{func() error { _, err := store.Count(t.Context(), m, store.AllAgents{}); return err }, false},
				{func() error { return write(t.Context(), m) }, true},
			} {
				require.NoError(t, step.do())
				has, err := backend.Has(t.Context(), id)
				require.NoError(t, err)
				require.Equal(t, step.has, has)
			}
		})
	}
}

func (s suite) dueTenants(t *testing.T) {
	backend := s.open(t)
	holding, idle := randomTenant(), randomTenant()
	isDue := func(id string) bool {
		due, err := backend.Due(t.Context())
		require.NoError(t, err)
		return slices.Contains(due, id)
	}
	bind(t, backend, idle).record(episode("e1", at(0)))
	m := bind(t, backend, holding)
	require.False(t, isDue(holding))
	m.hold(at(0), held("t", "a", ""), held("t", "b", "a"))
	require.True(t, isDue(holding))
	require.False(t, isDue(idle))
}

func (s suite) goodTenants(t *testing.T) {
	backend := s.open(t)
	for _, id := range []string{"a", "0", "a-b_c", "7--__", strings.Repeat("z", 64)} {
		_, err := backend.Tenant(t.Context(), id)
		require.NoError(t, err, "%q", id)
	}
	longest := randomTenant()
	longest += strings.Repeat("-", 64-len(longest))
	bind(t, backend, longest).record(episode("e1", at(0)))
	require.Nil(t, bind(t, backend, longest[:63]).find("e1", 0, nil))
}

func emptyTenant(m *tenant) {
	requireEmpty(m)
	m.ErrorIs(Delete(m.ctx(), m, memory.KindEpisode, "e1"), store.ErrNotFound)
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeSuccess)), store.ErrNotFound)
	done, err := m.Backfill(m.ctx(), nil)
	m.NoError(err)
	m.Zero(done)
	requireEmpty(m)
}

// requireEmpty asks for the records that fillTenant makes in every way there is.
func requireEmpty(m *tenant) {
	m.t.Helper()
	m.Nil(m.find("e1", store.WithAgent|store.WithCanvases|store.WithFeedback, nil))
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
		m.Empty(m.listed(store.EpisodeFilter{}, order))
	}
	m.Empty(m.listed(store.EpisodeFilter{Agent: new("agent"), Session: new("s")}, memory.NewestFirst))
	m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	for link := memory.LinkCausedBy; link <= memory.LinkNext; link++ {
		m.Empty(m.linked("e1", link))
	}
	m.Empty(m.canvasesOf(store.CanvasesOf{Episode: new("e1")}))
	m.Empty(m.canvasesOf(store.CanvasesOf{Agent: new("agent")}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Episode: new("e1")}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	requireNoRecords(m)
	m.Empty(m.hits(situation{text: "observation"}))
	m.Empty(m.hits(situation{}))
	m.Zero(m.count(m.VectorLength(m.ctx())))
}

func requireNoRecords(m *tenant) {
	m.t.Helper()
	canvases, err := store.Get[memory.Canvas](m.ctx(), m, []string{"c1"})
	m.NoError(err)
	m.Equal([]*memory.Canvas{nil}, canvases)
	feedback, err := store.Get[memory.Feedback](m.ctx(), m, []string{"f1"})
	m.NoError(err)
	m.Equal([]*memory.Feedback{nil}, feedback)
	agents, err := store.Get[memory.Agent](m.ctx(), m, []string{"agent"})
	m.NoError(err)
	m.Equal([]*memory.Agent{nil}, agents)
	agents, more, err := store.List(m.ctx(), m, store.AllAgents{}, everything)
	m.NoError(err)
	m.False(more)
	m.NotNil(agents)
	m.Empty(agents)
	m.Zero(m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.Empty(m.taskTypes("agent"))
	m.False(m.hasSession("s"))
}

// fillTenant records one of everything, with texts and scores of the tenant's own.
func fillTenant(m *tenant, word string, stars int, vector ...float32) {
	m.t.Helper()
	m.record(
		episode("e0", at(0)).in("s").seeing(word).embedded(vector...),
		episode("e1", at(1)).in("s").named(word).doing(word).seeing(word).causedBy("e0").informedBy("e0").embedded(vector...).
			logging(entry(0, word, "1")),
	)
	m.act(present("c1", at(2)).of("e1").in("s").with(`"` + word + `"`))
	m.react(rating("f1", stars, at(3)).onCanvas("c1").saying(word))
}

func (s suite) separateTenants(t *testing.T) {
	backend := s.open(t)
	ours, theirs := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
	fillTenant(ours, "oursword", 5, 1, 0)
	requireEmpty(theirs)
	fillTenant(theirs, "theirsword", 1, 1, 0, 0)
	requireOwn(ours, "oursword", 1, 1, 0)
	requireOwn(theirs, "theirsword", -1, 1, 0, 0)
	ours.Empty(ours.hits(situation{text: "theirsword", filter: store.EpisodeFilter{TaskType: new("theirsword")}}))

	ours.remove("e1")
	requireOwn(theirs, "theirsword", -1, 1, 0, 0)
	ours.remove("e0")
	requireOwn(theirs, "theirsword", -1, 1, 0, 0)
}

// requireOwn finds what fillTenant made, and nothing of another tenant.
func requireOwn(m *tenant, word string, score float64, vector ...float32) {
	m.t.Helper()
	found := m.episode("e1", store.WithAgent, store.WithCanvases, store.WithFeedback)
	m.Equal(word, found.Observation)
	m.Equal(score, found.FeedbackSum)
	m.Equal(1, found.FeedbackCount)
	m.Equal(1, found.CanvasActionCount)
	m.Equal(word, found.Context.Agent.Name)
	m.Equal([]*memory.Canvas{m.canvas("c1")}, found.Context.Canvases)
	m.Equal(memory.JSON(`"`+word+`"`), m.canvas("c1").Actions[0].Metadata)
	m.Equal([]*memory.Feedback{m.feedback("f1")}, found.Context.Feedback)
	m.Equal(&word, m.feedback("f1").Corrections)
	m.Equal([]string{"e1", "e0"}, m.listed(store.EpisodeFilter{}, memory.NewestFirst))
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{CanvasType: new(memory.CanvasCharts)}, memory.NewestFirst))
	m.Equal([]string{"e0"}, m.linked("e1", memory.LinkCausedBy))
	m.Equal([]string{"e0"}, m.linked("e1", memory.LinkPrevious))
	m.Equal([]string{"c1"}, m.canvasesOf(store.CanvasesOf{Agent: new("agent")}))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	m.Equal([]string{word}, m.taskTypes("agent")["agent"])
	m.Equal(len(vector), m.count(m.VectorLength(m.ctx())))

	hits := m.hits(situation{text: word, embedding: vector})
	m.Len(hits, 2)
	m.Equal(1, hits["e1"].FeedbackCount)
	m.Positive(hits["e0"].words)
}

func (s suite) separateWaits(t *testing.T) {
	backend := s.open(t)
	ours, theirs := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
	ours.react(thumbsUp("f1", at(5)).on("e1"), thumbsUp("f2", at(5)).running("run"), thumbsUp("f3", at(5)).in("s"))
	ours.act(present("c1", at(5)).of("e1"), present("c2", at(5)).in("s"))
	ours.record(episode("e2", at(5)).causedBy("e1"))

	theirs.record(episode("e1", at(0)).in("s").running("run"))
	done, err := theirs.Backfill(theirs.ctx(), nil)
	theirs.NoError(err)
	theirs.Zero(done)
	found := theirs.episode("e1", store.WithCanvases, store.WithFeedback)
	theirs.Zero(found.FeedbackCount)
	theirs.Zero(found.CanvasActionCount)
	theirs.Empty(found.Context.Canvases)
	theirs.Empty(found.Context.Feedback)
	theirs.Empty(theirs.linked("e1", memory.LinkCauses))
	ours.Nil(ours.feedback("f1").EpisodeKey)
	ours.Nil(ours.canvas("c1").EpisodeKey)
}

func (s suite) inputKeys(t *testing.T) {
	backend, id := s.open(t), randomTenant()
	keys := make([][]byte, 8)
	var group sync.WaitGroup
	for i := range keys {
		group.Go(func() { keys[i] = inputKey(t, backend, id) })
	}
	group.Wait()
	for _, key := range keys {
		require.Equal(t, keys[0], key)
	}
	require.Len(t, keys[0], 32)
	require.Equal(t, keys[0], inputKey(t, backend, id))
	require.NotEqual(t, keys[0], inputKey(t, backend, randomTenant()))
}

// inputKey is called by goroutines of their own, so it fails by Errorf only.
func inputKey(t *testing.T, backend store.Backend, id string) []byte {
	bound, err := backend.Tenant(t.Context(), id)
	if err != nil {
		t.Errorf("tenant: %v", err)
		return nil
	}
	key, err := bound.InputKey(t.Context())
	if err != nil {
		t.Errorf("input key: %v", err)
	}
	return key
}
