package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

// conclusion is the end of an episode that sets the outcome only.
func conclusion(key string, outcome memory.Outcome) store.EpisodeConclusion {
	return store.EpisodeConclusion{
		Key: key, Outcome: outcome, Receipt: memory.Receipt{Redactions: []memory.Redaction{}},
	}
}

func fullConclusion(key string) store.EpisodeConclusion {
	c := conclusion(key, memory.OutcomeFailure)
	c.Result, c.Insight, c.Quality, c.EndedAt = new("nothing paid"), new("no budget"), new(0.25), new(at(30))
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
	want.Outcome, want.Concluded, want.Result, want.Insight = c.Outcome, true, c.Result, *c.Insight
	want.Quality, want.EndedAt, want.Receipt, want.Segments = c.Quality, c.EndedAt, c.Receipt, c.Segments
	want.FeedbackSum, want.FeedbackCount = 1, 1
	m.Equal(want, m.episode("e1"))
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeFailure)}, store.NewestFirst))
	m.Empty(m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeUnknown)}, store.NewestFirst))
}

func concludeOutcomeOnly(m *tenant) {
	d := fullEpisode("e1").unconcluded()
	m.record(d)
	m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("e1", memory.OutcomeSuccess)))
	want := readBack(d)
	want.Outcome, want.Concluded, want.Receipt = memory.OutcomeSuccess, true, memory.Receipt{Redactions: []memory.Redaction{}}
	m.Equal(want, m.episode("e1"))
	m.InDelta(1, m.hits(store.RecallQuery{Embedding: d.Episode.Embedding})["e1"].Cosine, 1e-6)
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
	m.NotContains(m.hits(store.RecallQuery{Embedding: []float32{1, 2, 3}}), "e1")
}

func concludeThenRecall(m *tenant) {
	d := episode("e1", at(0)).unconcluded().resulting("walrus").learning("penguin").embedded(1, 0)
	m.record(d, episode("e2", at(0)).seeing("giraffe"))
	m.NoError(m.ConcludeEpisode(m.ctx(), fullConclusion("e1")))
	for _, gone := range []string{"walrus", "penguin"} {
		m.Zero(m.hits(store.RecallQuery{Text: gone})["e1"].Lexical, gone)
	}
	for _, found := range []string{"paid", "budget", "observation"} {
		m.Positive(m.hits(store.RecallQuery{Text: found})["e1"].Lexical, found)
	}
	m.InDelta(1, m.hits(store.RecallQuery{Embedding: []float32{0, 2}})["e1"].Cosine, 1e-6)
	known := m.hits(store.RecallQuery{Text: "budget", AsOf: new(at(29))})
	m.NotContains(known, "e1", "known at its end only")
}
