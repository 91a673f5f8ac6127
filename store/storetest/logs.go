package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

// logs are those that come in parts.
func (s suite) logs(t *testing.T) {
	s.run(t, "parts come in any order, and again", logInParts)
	s.run(t, "another event under a number is a conflict, and nothing of its part is added", logConflicts)
	s.run(t, "receipts are of what is new", logReceipts)
	s.run(t, "nothing new is added to a log that has its end", logEnds)
	s.run(t, "an amendment leaves the log, and lets the episode begin when that says", logAmended)
	s.run(t, "a log does not begin before the causes of its episode", logAfterCauses)
	s.run(t, "a log goes with its episode", logDeleted)
	s.run(t, "parts at once are all there, each event once", logTogether)
	s.runTwo(t, "a log is its tenant's", func(m, other *tenant) {
		m.open("e1")
		_, err := other.append("e1", entry(0, "a", `1`))
		m.ErrorIs(err, store.ErrNotFound)
		other.open("e1")
		m.logged("e1", entry(0, "a", `1`))
		m.Zero(other.count(store.Count(other.ctx(), other, store.EventsOf{Episode: "e1"})))
	})
	s.runTwo(t, "an export brings it along", logTransferred)
}

// open records an episode whose log is to come.
func (m *tenant) open(key string) {
	m.t.Helper()
	m.record(openDraft(key))
}

func openDraft(key string) episodeDraft { return episode(key, at(5)).in("s").unconcluded() }

// part is of the log of an episode that open recorded.
func part(key string, events ...memory.Event) store.LogPart { return partOf(openDraft(key), events...) }

func partOf(d episodeDraft, events ...memory.Event) store.LogPart {
	part := store.LogPart{Episode: d.Episode.Key, InputHash: episodeRecords([]episodeDraft{d})[0].InputHash}
	for _, event := range events {
		part.Events = append(part.Events, store.LoggedEvent{Event: event, Receipt: noReceipt})
	}
	return part
}

func (m *tenant) append(key string, events ...memory.Event) (store.Log, error) {
	return m.AppendEvents(m.ctx(), part(key, events...))
}

// logged is append that goes well.
func (m *tenant) logged(key string, events ...memory.Event) store.Log {
	m.t.Helper()
	log, err := m.append(key, events...)
	m.NoError(err)
	return log
}

func (m *tenant) wholeLog(key string) []memory.Event {
	m.t.Helper()
	events, more, err := logOf(m.ctx(), m, key, store.Page{Limit: 10_000})
	m.NoError(err)
	m.False(more)
	return events
}

func logInParts(m *tenant) {
	log := []memory.Event{entry(0, "a", `{"x":1}`), entry(1, "b", `"ä"`), entry(2, "c", ""), entry(3, "d", `[]`), entry(4, "e", "7")}
	log[2].Data = nil
	_, err := m.append("e1", log[0])
	m.ErrorIs(err, store.ErrNotFound)
	m.open("e1")
	m.Equal(store.Log{Events: 2, Bytes: 1 + 4 + 1 + 1, Last: 4, LastType: "e", Added: 2}, m.logged("e1", log[4], log[1]))
	m.Equal([]memory.Event{log[1], log[4]}, m.wholeLog("e1"))
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	between := m.logged("e1", log[1], log[2], log[0], log[0])
	m.Equal(2, between.Added)
	m.False(between.Whole())
	all := m.logged("e1", log...)
	m.Equal(1, all.Added)
	m.True(all.Whole())
	m.Equal(log, m.wholeLog("e1"))
	page, more, err := logOf(m.ctx(), m, "e1", store.Page{After: &store.Position{Sequence: 1}, Limit: 2})
	m.NoError(err)
	m.True(more)
	m.Equal(log[2:4], page)
	m.Equal(5, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	again := m.logged("e1", log...)
	m.Zero(again.Added)
	m.Equal(5, again.Events)
}

func logConflicts(m *tenant) {
	m.open("e1")
	m.logged("e1", entry(0, "a", `1`), entry(1, "b", `2`))
	later := entry(1, "b", `2`)
	later.At = at(99)
	for _, other := range []memory.Event{entry(1, "c", `2`), entry(1, "b", `3`), entry(1, "b", ""), later} {
		_, err := m.append("e1", entry(2, "c", `3`), other)
		m.ErrorIs(err, store.ErrConflict)
		conflict, ok := errors.AsType[*store.EventConflict](err)
		m.True(ok)
		m.Equal(1, conflict.Sequence)
	}
	m.Len(m.wholeLog("e1"), 2)
	foreign := part("e1", entry(2, "c", `3`))
	foreign.InputHash = []byte("another input")
	_, err := m.AppendEvents(m.ctx(), foreign)
	m.ErrorIs(err, store.ErrConflict)
	m.record(episode("told", at(0)).logging(entry(0, "a", `1`)))
	_, err = m.append("told", entry(1, "b", `2`))
	m.ErrorIs(err, store.ErrConflict)
}

func logReceipts(m *tenant) {
	m.open("e1")
	said := part("e1", entry(0, "a", `1`), entry(1, "b", `2`))
	said.Events[0].Receipt = memory.Receipt{TokensBefore: 9, TokensAfter: 4, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	said.Events[1].Receipt = memory.Receipt{TokensBefore: 1, TokensAfter: 1, Redactions: []memory.Redaction{{Kind: "aws", Count: 1}}}
	for range 2 {
		_, err := m.AppendEvents(m.ctx(), said)
		m.NoError(err)
		m.Equal(memory.Receipt{
			TokensBefore: 10, TokensAfter: 5, Redactions: []memory.Redaction{{Kind: "aws", Count: 1}, {Kind: "private", Count: 2}},
		}, m.episode("e1").Receipt)
	}
}

func logEnds(m *tenant) {
	m.open("e1")
	m.logged("e1", entry(0, "a", `1`))
	m.NoError(m.ConcludeEpisode(m.ctx(), store.EpisodeConclusion{Key: "e1", Outcome: memory.OutcomeSuccess, Receipt: noReceipt}))
	m.True(m.logged("e1", entry(0, "a", `1`)).Concluded)
	_, err := m.append("e1", entry(1, "b", `2`))
	m.ErrorIs(err, store.ErrLogEnded)
	kept := part("e1", entry(1, "b", `2`))
	kept.Kept = true
	_, err = m.AppendEvents(m.ctx(), kept)
	m.NoError(err)
	m.Len(m.wholeLog("e1"), 2)
}

func logAmended(m *tenant) {
	m.record(episode("before", at(3)).in("s"))
	m.open("e1")
	m.logged("e1", entry(0, "a", `1`), entry(1, "b", `2`))
	was, err := store.GetOne[store.WholeEpisode](m.ctx(), m, "e1")
	m.NoError(err)
	m.True(was.Parts)
	m.Len(was.Events, 2)
	told := *was.Episode
	told.StartedAt, told.EndedAt, told.Outcome, told.Concluded = at(1), new(at(2)), memory.OutcomeSuccess, true
	told.Observation = "It is whole now."
	amendment := store.EpisodeAmendment{Episode: told, InputHash: was.InputHash, WasHash: was.InputHash, Logged: 1}
	m.ErrorIs(m.AmendEpisode(m.ctx(), amendment), store.ErrConflict, "somebody appended meanwhile")
	m.Equal(was.Episode, m.episode("e1"))
	amendment.Logged = 2
	m.NoError(m.AmendEpisode(m.ctx(), amendment))
	told.ConcludedLater = true
	m.Equal(&told, m.episode("e1"))
	m.Len(m.wholeLog("e1"), 2)
	m.Equal([]string{"e1", "before"}, m.listed(store.EpisodeFilter{}, memory.OldestFirst))
	next := m.linkedAll(store.LinkedQuery{Episodes: []string{"e1"}, Link: memory.LinkNext})
	m.Equal([]string{"before"}, episodeKeys(next["e1"]))
	m.Zero(m.logged("e1", entry(0, "a", `1`)).Added)
	inLists, err := store.GetOne[store.WholeEpisode](m.ctx(), m, "before")
	m.NoError(err)
	m.False(inLists.Parts)
}

func logDeleted(m *tenant) {
	many := make([]memory.Event, 2500) // more than goes into one part of a deletion
	for i := range many {
		many[i] = entry(i, "x", `"y"`)
	}
	m.open("e1")
	m.open("e2")
	for events := range slices.Chunk(many, 1000) {
		m.logged("e1", events...)
	}
	m.logged("e2", many[:3]...)
	m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "e1"))
	m.Empty(m.wholeLog("e1"))
	m.open("e1")
	m.Empty(m.wholeLog("e1"))
	m.Equal(store.Log{Events: 1, Bytes: 4, Last: 7, LastType: "x", Added: 1}, m.logged("e1", many[7]))
	m.Len(m.wholeLog("e2"), 3)
	m.NoError(errorOf(m.InputKey(m.ctx())))
	m.deleteAgent("agent", 2)
	m.Empty(m.wholeLog("e2"))
}

func logTogether(m *tenant) {
	m.open("e1")
	const events = 300
	parts := make([][]memory.Event, 0, 2*events/10)
	for range 2 {
		for from := 0; from < events; from += 10 {
			part := []memory.Event{}
			for i := from; i < min(from+15, events); i++ { // each overlaps the next
				part = append(part, entry(i, "x", fmt.Sprint(i)))
			}
			parts = append(parts, part)
		}
	}
	rand.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	m.together(len(parts), func(i int) error { return errorOf(m.append("e1", parts[i]...)) })
	log := m.wholeLog("e1")
	m.Len(log, events)
	last := m.logged("e1", log[0])
	m.Equal(events, last.Events)
	m.True(last.Whole())
}

func logTransferred(from, to *tenant) {
	from.NoError(errorOf(from.InputKey(from.ctx())))
	from.open("e1")
	from.open("e2")
	from.logged("e1", entry(2, "c", ""), entry(0, "a", `1`))
	from.logged("e2", entry(0, "a", `1`))
	items := from.exported()
	var events []*store.EventItem
	for _, item := range items {
		if event, ok := item.(*store.EventItem); ok {
			events = append(events, event)
		}
	}
	from.Len(events, 3)
	from.Equal([]int{0, 2, 0}, []int{events[0].Sequence, events[1].Sequence, events[2].Sequence})
	for range 2 { // the second finds all there
		recorded, err := to.Restore(to.ctx(), items, false)
		to.NoError(fault(recorded, err))
	}
	to.Equal(from.wholeLog("e1"), to.wholeLog("e1"))
	to.Equal(items, to.exported())
	to.Equal(3, to.logged("e1", entry(1, "b", `2`)).Events)

	other := *events[0]
	other.Type = "z"
	foreign, unknown := *events[0], *events[0]
	foreign.InputHash, unknown.Episode = []byte("another input"), "unknown"
	recorded, err := to.Restore(to.ctx(), []store.Item{&other, &foreign, &unknown, events[1]}, false)
	to.NoError(err)
	to.ErrorIs(recorded[0].Err, store.ErrConflict)
	to.ErrorIs(recorded[1].Err, store.ErrConflict)
	to.ErrorIs(recorded[2].Err, store.ErrNotFound)
	to.NoError(recorded[3].Err)
}

func logAfterCauses(m *tenant) {
	m.record(episode("cause", at(3)))
	open := openDraft("e1").causedBy("cause", "unknown")
	m.record(open)
	early, later := entry(0, "a", `1`), entry(1, "b", `2`)
	early.At, later.At = at(2), at(2) // the first alone says when it began
	_, err := m.AppendEvents(m.ctx(), partOf(open, later, early))
	m.ErrorIs(err, store.ErrInvalid)
	fault, ok := errors.AsType[*memory.Error](err)
	m.True(ok)
	m.Equal("causedBy", fault.Field)
	m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})), "nothing of the part is added")
	early.At = at(3)
	_, err = m.AppendEvents(m.ctx(), partOf(open, later, early))
	m.NoError(err)
	m.record(episode("unknown", at(4)))
	_, err = m.AppendEvents(m.ctx(), partOf(open, early))
	m.NoError(err, "it is there")
}
