package storetest

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

func (s suite) listing(t *testing.T) {
	s.run(t, "each filter keeps what meets it, and they combine", filters)
	s.run(t, "canvas type and action are met by one and the same canvas", canvasFilters)
	s.run(t, "feedback bounds are inclusive and fail where there is none", feedbackFilters)
	s.run(t, "orders break ties by key, and feedback order by time before", orders)
	s.run(t, "a page is at most its limit and says whether more follow", pageEnds)
	s.run(t, "a position stands where its record is gone", func(m *tenant) {
		m.record(episode("a", at(3)), episode("b", at(2)), episode("c", at(1)))
		m.remove("b")
		page := store.Page{Limit: 5, After: &store.Position{At: at(2), Key: "b"}}
		found, more, err := store.List(m.ctx(), m, store.EpisodeQuery{}, page)
		m.NoError(err)
		m.False(more)
		m.Equal([]string{"c"}, episodeKeys(found))
	})
	s.run(t, "a list carries what a read gives", func(m *tenant) {
		m.record(fullEpisode("e1"))
		m.react(thumbsUp("f1", at(1)).on("e1"))
		found, _, err := store.List(m.ctx(), m, store.EpisodeQuery{}, everything)
		m.NoError(err)
		m.Equal([]*memory.Episode{m.episode("e1")}, found)
	})
	s.run(t, "a head is an episode without what it says, but for its title, wherever it is read", func(m *tenant) {
		m.record(fullEpisode("e1"), episode("e2", at(9)).causedBy("e1"))
		m.react(thumbsUp("f1", at(1)).on("e1"))
		head := *m.episode("e1")
		head.Observation, head.Result, head.Insight, head.Metadata, head.Receipt = "", nil, "", nil, noReceipt
		head.Thoughts, head.Actions, head.ExecutionIDs, head.Segments = []string{}, []memory.Action{}, []string{}, []memory.Segment{}
		want := []*memory.Episode{&head}
		read := func(keys ...string) []*memory.Episode {
			found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: keys, Parts: store.HeadOnly})
			m.NoError(err)
			return found
		}
		m.Equal(want, read("e1"))
		m.Equal(want, read("e1", "e2")[:1])
		found, _, err := store.List(m.ctx(), m, store.EpisodeQuery{Order: memory.OldestFirst, Parts: store.HeadOnly}, everything)
		m.NoError(err)
		m.Equal(read("e1", "e2"), found)
		linked, err := m.Linked(m.ctx(), store.LinkedQuery{Episodes: []string{"e2"}, Link: memory.LinkCausedBy, Page: everything, HeadOnly: true})
		m.NoError(err)
		m.Equal(want, linked["e2"].Episodes)
	})
	s.run(t, "a brief episode has the beginnings of its texts", func(m *tenant) {
		long := strings.Repeat("ä", store.BriefText)
		said := fullEpisode("e1")
		said.Observation, said.Result, said.Insight = long+"b", new(long), "short"
		m.record(said, episode("e2", at(9)))
		m.react(thumbsUp("f1", at(1)).on("e1"))
		brief := *m.episode("e1")
		brief.Observation, brief.Metadata = long, nil
		brief.Thoughts, brief.Actions, brief.ExecutionIDs, brief.Segments = []string{}, []memory.Action{}, []string{}, []memory.Segment{}
		for _, keys := range [][]string{{"e1"}, {"e1", "e2"}} {
			found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: keys, Parts: store.Brief})
			m.NoError(err)
			m.Equal(&brief, found[0])
		}
	})
	s.check(t, "pages of any size, under any filter and order, give each record once", 40, listingAgreesWithModel)
}

func filters(m *tenant) {
	m.record(
		episode("a", at(1)).by("ada").in("s").doing("refund"),
		episode("b", at(2)).by("ada").in("t").doing("refund").ending(memory.OutcomeFailure),
		episode("c", at(3)).by("eve").in("s").doing("").ending(memory.OutcomeUnknown),
		episode("d", at(4)).by("eve"),
	)
	for _, test := range []struct {
		filter store.EpisodeFilter
		want   []string
	}{
		{store.EpisodeFilter{}, []string{"d", "c", "b", "a"}},
		{store.EpisodeFilter{Agent: new("ada")}, []string{"b", "a"}},
		{store.EpisodeFilter{Agent: new("nobody")}, none},
		{store.EpisodeFilter{Session: new("s")}, []string{"c", "a"}},
		{store.EpisodeFilter{Session: new("")}, none},
		{store.EpisodeFilter{TaskType: new("refund")}, []string{"b", "a"}},
		{store.EpisodeFilter{TaskType: new("")}, []string{"c"}},
		{store.EpisodeFilter{Outcome: new(memory.OutcomeSuccess)}, []string{"d", "a"}},
		{store.EpisodeFilter{Outcome: new(memory.OutcomeUnknown)}, []string{"c"}},
		{store.EpisodeFilter{OutcomeKnown: true}, []string{"d", "b", "a"}},
		{store.EpisodeFilter{Outcome: new(memory.OutcomeUnknown), OutcomeKnown: true}, none},
		{store.EpisodeFilter{Since: new(at(3))}, []string{"d", "c"}},
		{store.EpisodeFilter{Since: new(at(3).Add(time.Millisecond))}, []string{"d"}},
		{store.EpisodeFilter{Until: new(at(3))}, []string{"b", "a"}},
		{store.EpisodeFilter{Until: new(at(3).Add(time.Millisecond))}, []string{"c", "b", "a"}},
		{store.EpisodeFilter{Since: new(at(2)), Until: new(at(4))}, []string{"c", "b"}},
		{store.EpisodeFilter{Since: new(at(2)), Until: new(at(2))}, none},
		{store.EpisodeFilter{Agent: new("ada"), Session: new("s")}, []string{"a"}},
		{store.EpisodeFilter{Agent: new("eve"), TaskType: new("refund")}, none},
		{store.EpisodeFilter{TaskType: new("refund"), Outcome: new(memory.OutcomeFailure), Since: new(at(1))}, []string{"b"}},
	} {
		m.Equal(test.want, m.listed(test.filter, memory.NewestFirst), "%+v", test.filter)
	}
}

func canvasFilters(m *tenant) {
	m.record(episode("both", at(3)), episode("apart", at(2)), episode("none", at(1)))
	m.act(
		present("c1", at(4)).of("both"), action("c1", memory.CanvasSubmit, at(5)),
		present("c2", at(4)).of("apart"), action("c3", memory.CanvasSubmit, at(4)).of("apart").typed("forms"),
		present("c4", at(4)).of("both"), present("waits", at(4)).of("later"),
	)
	for _, test := range []struct {
		filter store.EpisodeFilter
		want   []string
	}{
		{store.EpisodeFilter{CanvasType: new("charts")}, []string{"both", "apart"}},
		{store.EpisodeFilter{CanvasType: new("forms")}, []string{"apart"}},
		{store.EpisodeFilter{CanvasType: new("Charts")}, none},
		{store.EpisodeFilter{CanvasAction: new(memory.CanvasSubmit)}, []string{"both", "apart"}},
		{store.EpisodeFilter{CanvasAction: new(memory.CanvasClose)}, none},
		{store.EpisodeFilter{CanvasType: new("charts"), CanvasAction: new(memory.CanvasSubmit)}, []string{"both"}},
		{store.EpisodeFilter{CanvasType: new("forms"), CanvasAction: new(memory.CanvasPresent)}, none},
		{store.EpisodeFilter{CanvasType: new("charts"), Until: new(at(3))}, []string{"apart"}},
	} {
		m.Equal(test.want, m.listed(test.filter, memory.NewestFirst), "%+v", test.filter)
	}
}

func feedbackFilters(m *tenant) {
	m.record(episode("half", at(4)), episode("third", at(3)), episode("bad", at(2)), episode("none", at(1)))
	m.react(
		rating("f1", 4, at(5)).on("half"),
		thumbsUp("f2", at(5)).on("third"), rating("f3", 3, at(5)).on("third"), rating("f4", 3, at(5)).on("third"),
		thumbsDown("f5", at(5)).on("bad"),
	)
	for _, test := range []struct {
		least, most *float64
		want        []string
	}{
		{new(0.5), nil, []string{"half"}},
		{nil, new(0.5), []string{"half", "third", "bad"}},
		{new(-1.0), nil, []string{"half", "third", "bad"}},
		{nil, new(1.0), []string{"half", "third", "bad"}},
		{new(1.0 / 3), new(1.0 / 3), []string{"third"}},
		{new(-0.9), new(0.49), []string{"third"}},
		{nil, new(-1.0), []string{"bad"}},
		{new(0.51), new(0.9), none},
	} {
		filter := store.EpisodeFilter{MinFeedback: test.least, MaxFeedback: test.most}
		m.Equal(test.want, m.listed(filter, memory.NewestFirst), "%v to %v", test.least, test.most)
	}
}

func orders(m *tenant) {
	m.record(
		episode("b", at(1)), episode("a", at(1)), episode("d", at(2)), episode("c", at(2)),
		episode("f", at(3)), episode("e", at(3)), episode("g", at(9)),
	)
	m.react(
		thumbsUp("1", at(9)).on("a"), thumbsUp("2", at(9)).on("b"), thumbsUp("3", at(9)).on("d"),
		thumbsDown("4", at(9)).on("g"), rating("5", 3, at(9)).on("c"),
	)
	for order, want := range map[memory.EpisodeOrder][]string{
		memory.NewestFirst:       {"g", "e", "f", "c", "d", "a", "b"},
		memory.OldestFirst:       {"a", "b", "c", "d", "e", "f", "g"},
		memory.BestFeedbackFirst: {"d", "a", "b", "c", "g", "e", "f"},
	} {
		m.Equal(want, m.listed(store.EpisodeFilter{}, order), order)
	}
}

func pageEnds(m *tenant) {
	m.record(episode("a", at(1)), episode("b", at(2)))
	for _, test := range []struct {
		page store.Page
		want []string
		more bool
	}{
		{store.Page{Limit: 1}, []string{"b"}, true},
		{store.Page{Limit: 2}, []string{"b", "a"}, false},
		{store.Page{Limit: 3}, []string{"b", "a"}, false},
		{store.Page{Limit: 1, After: &store.Position{At: at(2), Key: "b"}}, []string{"a"}, false},
		{store.Page{Limit: 1, After: &store.Position{At: at(1), Key: "a"}}, none, false},
	} {
		found, more, err := store.List(m.ctx(), m, store.EpisodeQuery{}, test.page)
		m.NoError(err)
		m.NotNil(found)
		m.Equal(test.want, episodeKeys(found))
		m.Equal(test.more, more)
	}
}

// listingAgreesWithModel walks random lists in pages and compares them with the model's.
func listingAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	w.fill(12)
	for range 4 {
		filter := w.filter()
		for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
			w.requireList(filter, order)
		}
	}
}

func (w *world) requireList(filter store.EpisodeFilter, order memory.EpisodeOrder) {
	w.t.Helper()
	want := w.model.list(filter, order, nil)
	limit := rapid.IntRange(1, 6).Draw(w.random, "limit")
	query := store.EpisodeQuery{Filter: filter, Order: order, Parts: store.WithAgent | store.WithCanvases | store.WithFeedback}
	walked := walk(w.tenant, limit, func(page store.Page) ([]*memory.Episode, bool, error) {
		return store.List(w.ctx(), w, query, page)
	}, func(e *memory.Episode) store.Position {
		return positionOf(e, order)
	})
	w.Equal(episodeKeys(want), episodeKeys(walked), "order %s, pages of %d", order, limit)
	w.Equal(want, walked)
	w.Equal(len(want), w.count(store.Count(w.ctx(), w, store.EpisodeQuery{Filter: filter})))
}

// positionOf is the place of an episode in an order.
func positionOf(e *memory.Episode, order memory.EpisodeOrder) store.Position {
	position := store.Position{At: e.StartedAt, Key: e.Key}
	if order == memory.BestFeedbackFirst {
		position.Value = e.AggregateFeedbackScore()
	}
	return position
}
