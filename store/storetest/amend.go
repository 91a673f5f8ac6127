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
		m.InDelta(1, m.hits(store.RecallQuery{Embedding: []float32{1, 0}})["e1"].Cosine, 1e-6)
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
		m.Zero(m.count(m.CountEvents(m.ctx(), "e1")))
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
		profile := m.profilesOf(store.ProfileFilter{TaskTypes: []string{"task"}})[0]
		m.Equal([]int{1, 0}, []int{profile.Total, profile.Successful})
		a.WasHash, a.WasConcluded = amendedHash, true
		m.NoError(m.AmendEpisode(m.ctx(), a))
		m.Equal(1, m.profilesOf(store.ProfileFilter{TaskTypes: []string{"task"}})[0].Total)
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
	want.StartedAt, want.CreatedAt, want.Embedding = at(0), at(0), nil
	want.FeedbackSum, want.FeedbackCount, want.CanvasActionCount = 1, 1, 1
	m.Equal(&want, m.episode("e1"))
	events, _, err := m.Events(m.ctx(), "e1", everything)
	m.NoError(err)
	m.Equal(a.Events, events)
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{Outcome: new(memory.OutcomeFailure), Agent: new("agent")}, store.NewestFirst))
	for _, found := range []string{"zebra", "giraffe", "penguins"} {
		m.Positive(m.hits(store.RecallQuery{Text: found})["e1"].Lexical, found)
	}
	m.Zero(m.hits(store.RecallQuery{Text: "pending"})["e1"].Lexical)
	m.InDelta(1, m.hits(store.RecallQuery{Embedding: []float32{0, 1}})["e1"].Cosine, 1e-6)
	m.NotContains(m.hits(store.RecallQuery{Text: "zebra", AsOf: new(at(8))}), "e1", "known at its end only")
	m.Equal([]string{"Zebra"}, m.titlesFound("zebra"))
}

// titlesFound searches the episodes by words.
func (m *tenant) titlesFound(text string) []string {
	var titles []string
	for _, match := range m.searched(store.SearchQuery{Kinds: []memory.Kind{memory.KindEpisode}, Text: text, Limit: 10}) {
		titles = append(titles, m.episode(match.Key).Title)
	}
	return titles
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
