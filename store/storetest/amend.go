package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

// amendedHash identifies what amendments make of an episode.
var amendedHash = []byte("amended")

// amendable is an episode made of one entry of a log, whose outcome is not known.
func amendable(key string) episodeDraft {
	return episode(key, at(0)).unconcluded().in("s").doing("task").running("x1").resulting("pending").embedded(1, 0).
		logging(memory.Event{Type: "tool_span", Data: memory.JSON(`{"id":"1"}`), At: at(0)})
}

func amendment(key string) store.EpisodeAmendment {
	d := episode(key, at(5)).by("another").in("elsewhere").doing("other").running("x2").titled("Zebra").seeing("A giraffe").
		thinking("why").step("look", memory.JSON(`1`)).learning("Penguins help").until(at(9)).ending(memory.OutcomeFailure)
	d.Episode.Quality, d.Episode.Metadata = new(0.5), memory.JSON(`{"a":1}`)
	d.Episode.Segments = []memory.Segment{{Kind: memory.SegmentRest, Text: "looked", StartedAt: at(0)}}
	d.Episode.Receipt = memory.Receipt{TokensBefore: 4, TokensAfter: 3, Redactions: []memory.Redaction{{Kind: "private", Count: 1}}}
	d.Episode.Embedding = []float32{0, 1}
	return store.EpisodeAmendment{
		Episode: d.Episode, InputHash: amendedHash, WasHash: hash(amendable(key)),
		Events: []memory.Event{
			{Sequence: 0, Type: "tool_span", Data: memory.JSON(`{"id":"1"}`), At: at(0)},
			{Sequence: 1, Type: "agent_span", At: at(1)},
		},
	}
}

func (s suite) amendments(t *testing.T) {
	s.run(t, "what it says is replaced, and where it belongs stays", amendAll)
	s.run(t, "without a vector the one before stays", func(m *tenant) {
		m.record(amendable("e1"))
		a := amendment("e1")
		a.Episode.Embedding = nil
		m.NoError(m.AmendEpisode(m.ctx(), a))
		m.InDelta(1, m.hits(situation{embedding: []float32{1, 0}})["e1"].cosine, 1e-6)
	})
	s.run(t, "what is null becomes null", func(m *tenant) {
		m.record(amendable("e1"))
		full := amendment("e1")
		full.Episode.Concluded = false
		m.NoError(m.AmendEpisode(m.ctx(), full))
		bare := amendment("e1")
		bare.Episode = episode("e1", at(0)).unconcluded().Episode
		bare.Events, bare.WasHash = nil, amendedHash
		m.NoError(m.AmendEpisode(m.ctx(), bare))
		want := readBack(episode("e1", at(0)).unconcluded().in("s").doing("task").running("x1"))
		m.Equal(want, m.episode("e1"))
		m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	})
	s.run(t, "an outcome is set once, with the end and the quality", func(m *tenant) {
		m.record(amendable("e1"))
		m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
		before := m.episode("e1")
		a := amendment("e1")
		a.WasConcluded, a.Episode.Outcome, a.Episode.Concluded = true, memory.OutcomeUnknown, false
		m.NoError(m.AmendEpisode(m.ctx(), a))
		after := m.episode("e1")
		m.Equal(
			[]any{before.Outcome, true, before.EndedAt, before.Quality, "Zebra"},
			[]any{after.Outcome, after.Concluded, after.EndedAt, after.Quality, after.Title},
		)
	})
	s.run(t, "an outcome that it brings is an execution, once", func(m *tenant) {
		m.record(amendable("e1"))
		m.False(m.exist("execution:episode:e1")[0])
		a := amendment("e1")
		a.Episode.Concluded = true
		m.NoError(m.AmendEpisode(m.ctx(), a))
		m.True(m.exist("execution:episode:e1")[0])
		profile := m.profilesOf(store.ProfilesOf{TaskTypes: []string{"task"}})[0]
		m.Equal([]int{1, 0}, []int{profile.Total, profile.Successful})
		a.WasHash, a.WasConcluded = amendedHash, true
		m.NoError(m.AmendEpisode(m.ctx(), a))
		m.Equal(1, m.profilesOf(store.ProfilesOf{TaskTypes: []string{"task"}})[0].Total)
	})
	s.run(t, "an unknown episode is not found", func(m *tenant) {
		m.ErrorIs(m.AmendEpisode(m.ctx(), amendment("e1")), store.ErrNotFound)
	})
	s.run(t, "what somebody changed meanwhile is left", amendChanged)
	s.run(t, "an end before the start is invalid", func(m *tenant) {
		m.record(amendable("e1"))
		a := amendment("e1")
		a.Episode.EndedAt = new(at(0).Add(-1_000_000)) // a millisecond
		m.refused(a, store.ErrInvalid)
	})
	s.run(t, "a vector of another length is refused", func(m *tenant) {
		m.record(amendable("e1"))
		a := amendment("e1")
		a.Episode.Embedding = []float32{1, 2, 3}
		m.refused(a, store.ErrVectorLength)
	})
	s.run(t, "of many that amend at once, one does", func(m *tenant) {
		m.record(amendable("e1"))
		done := make(chan struct{}, 8)
		m.together(8, func(int) error {
			if m.AmendEpisode(m.ctx(), amendment("e1")) == nil {
				done <- struct{}{}
			}
			return nil
		})
		m.Len(done, 1)
	})
}

func amendAll(m *tenant) {
	d := amendable("e1")
	m.record(d, episode("e2", at(2)).seeing("A walrus"))
	m.react(thumbsUp("f1", at(1)).on("e1"))
	m.act(present("c1", at(1)).of("e1"))
	a := amendment("e1")
	m.NoError(m.AmendEpisode(m.ctx(), a))
	want := a.Episode
	want.AgentKey, want.SessionKey, want.TaskType, want.ExecutionIDs = "agent", new("s"), new("task"), []string{"x1"}
	want.StartedAt, want.CreatedAt, want.Embedding, want.ConcludedLater = at(0), d.Episode.CreatedAt, nil, true
	want.FeedbackSum, want.FeedbackCount, want.CanvasActionCount = 1, 1, 1
	m.Equal(&want, m.episode("e1"))
	events, _, err := logOf(m.ctx(), m, "e1", everything)
	m.NoError(err)
	m.Equal(a.Events, events)
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeFailure), Agent: new("agent")}, memory.NewestFirst))
	for _, found := range []string{"zebra", "giraffe", "penguins"} {
		m.Positive(m.hits(situation{text: found})["e1"].words, found)
	}
	m.Zero(m.hits(situation{text: "pending"})["e1"].words)
	m.InDelta(1, m.hits(situation{embedding: []float32{0, 1}})["e1"].cosine, 1e-6)
	m.NotContains(m.hits(situation{text: "zebra", asOf: new(at(8))}), "e1", "known at its end only")
	m.Equal([]string{"episode:e1"}, m.matches("zebra"))
}

func amendChanged(m *tenant) {
	m.record(amendable("e1"))
	other := amendment("e1")
	other.WasHash = []byte("other")
	m.refused(other, store.ErrConflict)
	m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeSuccess)))
	m.refused(amendment("e1"), store.ErrConflict)
	concluded := amendment("e1")
	concluded.WasConcluded = true
	m.NoError(m.AmendEpisode(m.ctx(), concluded))
	m.refused(concluded, store.ErrConflict)
}

// refused amends in vain, and looks that nothing has changed.
func (m *tenant) refused(a store.EpisodeAmendment, because error) {
	before := m.episode(a.Episode.Key)
	m.ErrorIs(m.AmendEpisode(m.ctx(), a), because)
	m.Equal(before, m.episode(a.Episode.Key))
}

// conclusion is the end of an episode that sets the outcome only.
func conclusion(key string, outcome memory.Outcome) store.EpisodeConclusion {
	return store.EpisodeConclusion{
		Key: key, Outcome: outcome, Receipt: memory.Receipt{Redactions: []memory.Redaction{}},
	}
}

func fullConclusion(key string) store.EpisodeConclusion {
	c := conclusion(key, memory.OutcomeFailure)
	c.Result, c.Insight, c.Quality, c.Cost, c.EndedAt = new("nothing paid"), new("no budget"), new(0.25), new(2.5), new(at(30))
	c.Segments = []memory.Segment{{Kind: memory.SegmentTask, Text: "asked for budget", StartedAt: at(0), EndedAt: c.EndedAt}}
	c.Embedding = []float32{0, 1}
	c.Receipt = memory.Receipt{TokensBefore: 3, TokensAfter: 2, Redactions: []memory.Redaction{{Kind: "private", Count: 1}}}
	return c
}

func (s suite) conclusions(t *testing.T) {
	s.run(t, "what is set replaces what was recorded", concludeAll)
	s.run(t, "what is nil leaves what was recorded", concludeOutcomeOnly)
	s.run(t, "an empty text is set, not left", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded().resulting("something"))
		c := conclusion("e1", memory.OutcomeFailure)
		c.Result = new("")
		m.NoError(m.ConcludeEpisode(m.ctx(), c))
		m.Equal(new(""), m.episode("e1").Result)
	})
	s.run(t, "an unknown episode is not found", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded())
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion("E1", memory.OutcomeSuccess)), store.ErrNotFound)
	})
	s.run(t, "it happens once, whatever the second says", concludeOnce)
	s.run(t, "even an unknown outcome is final", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded())
		m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeUnknown)))
		m.True(m.episode("e1").Concluded)
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeSuccess)), store.ErrConflict)
	})
	s.run(t, "an episode recorded with its outcome is not concluded again", func(m *tenant) {
		m.record(episode("e1", at(0)))
		before := m.episode("e1")
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")), store.ErrConflict)
		m.Equal(before, m.episode("e1"))
	})
	s.run(t, "an end before the start is invalid", concludeBeforeStart)
	s.run(t, "a vector of another length is refused", concludeVectorLength)
	s.run(t, "a first vector sets the tenant's length", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded())
		m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
		m.Equal(2, m.count(m.VectorLength(m.ctx())))
	})
	s.run(t, "recording the episode again stays the same record", func(m *tenant) {
		m.record(episode("e1", at(0)).unconcluded())
		m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
		before := m.episode("e1")
		m.Equal([]store.Recorded{{Key: "e1"}}, m.recorded(episode("e1", at(0)).unconcluded()))
		m.Equal(before, m.episode("e1"))
	})
	s.run(t, "recall sees the conclusion", concludeThenRecall)
}

func concludeAll(m *tenant) {
	d := episode("e1", at(0)).unconcluded().in("s").doing("task").resulting("pending").embedded(1, 0)
	m.record(d)
	m.react(thumbsUp("f1", at(1)).on("e1"))
	m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
	want, c := readBack(d), fullConclusion("e1")
	want.Outcome, want.Concluded, want.ConcludedLater, want.Result, want.Insight = c.Outcome, true, true, c.Result, *c.Insight
	want.Quality, want.Cost, want.EndedAt, want.Receipt, want.Segments = c.Quality, c.Cost, c.EndedAt, c.Receipt, c.Segments
	want.FeedbackSum, want.FeedbackCount = 1, 1
	m.Equal(want, m.episode("e1"))
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeFailure)}, memory.NewestFirst))
	m.Empty(m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeUnknown)}, memory.NewestFirst))
}

func concludeOutcomeOnly(m *tenant) {
	d := fullEpisode("e1").unconcluded()
	m.record(d)
	c := conclusion("e1", memory.OutcomeSuccess)
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), c), store.ErrConflict, "it is another than it was")
	c.Was, c.Receipt.TokensBefore = d.Episode.Receipt, 2
	m.NoError(m.ConcludeEpisode(m.ctx(), c))
	want := readBack(d)
	want.Outcome, want.Concluded, want.ConcludedLater, want.Receipt = memory.OutcomeSuccess, true, true, c.Was.Plus(c.Receipt)
	m.Equal(want, m.episode("e1"))
	m.InDelta(1, m.hits(situation{embedding: d.Episode.Embedding})["e1"].cosine, 1e-6)
}

func concludeOnce(m *tenant) {
	m.record(episode("e1", at(0)).unconcluded())
	m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
	before := m.episode("e1")
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")), store.ErrConflict)
	m.Equal(before, m.episode("e1"))
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeSuccess)), store.ErrConflict)
	m.Equal(before, m.episode("e1"))
}

func concludeBeforeStart(m *tenant) {
	m.record(episode("e1", at(10)).unconcluded())
	before := m.episode("e1")
	c := fullConclusion("e1")
	c.EndedAt = new(at(10).Add(-1_000_000)) // a millisecond
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), c), store.ErrInvalid)
	m.Equal(before, m.episode("e1"))
	c.EndedAt = new(at(10))
	m.NoError(m.ConcludeEpisode(m.ctx(), c))
	m.Equal(c.EndedAt, m.episode("e1").EndedAt)
}

func concludeVectorLength(m *tenant) {
	m.record(episode("e0", at(0)).embedded(1, 2, 3), episode("e1", at(0)).unconcluded())
	before := m.episode("e1")
	m.ErrorIs(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")), store.ErrVectorLength)
	m.Equal(before, m.episode("e1"))
	m.NotContains(m.hits(situation{embedding: []float32{1, 2, 3}}), "e1")
}

func concludeThenRecall(m *tenant) {
	d := episode("e1", at(0)).unconcluded().resulting("walrus").learning("penguin").embedded(1, 0)
	m.record(d, episode("e2", at(0)).seeing("giraffe"))
	m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
	for _, gone := range []string{"walrus", "penguin"} {
		m.Zero(m.hits(situation{text: gone})["e1"].words, gone)
	}
	for _, found := range []string{"paid", "budget", "observation"} {
		m.Positive(m.hits(situation{text: found})["e1"].words, found)
	}
	m.InDelta(1, m.hits(situation{embedding: []float32{0, 2}})["e1"].cosine, 1e-6)
	known := m.hits(situation{text: "budget", asOf: new(at(29))})
	m.NotContains(known, "e1", "known at its end only")
}
