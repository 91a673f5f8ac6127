package storetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

// fullEpisode sets every field that an episode has.
func fullEpisode(key string) episodeDraft {
	d := episode(key, at(0)).named("Ada").in("session").until(at(9)).doing("refund").forUser("ann").
		thinking("first", "", "third").step("look up", memory.JSON(`{"a":[1,null],"b":"x"}`)).step("pay", nil).
		resulting("paid").running("run-1", "run-2").embedded(0.5, -1, 0.25).
		logging(entry(0, "workflow_started", `{"args":{}}`), entry(1, "workflow_completed", `[1,2]`))
	d.Episode.Actions[0].StepID = new("step-1")
	d.Episode.CreatedAt = at(10)
	d.Episode.Metadata = memory.JSON(`{"big":12345678901234567890,"nested":{"x":[]}}`)
	d.Episode.Quality, d.Episode.Cost = new(0.75), new(1.25)
	d.Episode.Segments = []memory.Segment{
		{Kind: memory.SegmentTask, Text: "looked up", StartedAt: at(0), EndedAt: new(at(4))},
		{Kind: memory.SegmentRest, Text: "", StartedAt: at(5)},
	}
	d.Episode.Receipt = memory.Receipt{
		TokensBefore: 12, TokensAfter: 10, Redactions: []memory.Redaction{{Kind: "private", Count: 2}},
	}
	return d
}

// entry is an entry of a run's log.
func entry(sequence int, kind, data string) memory.Event {
	return memory.Event{Sequence: sequence, Type: kind, Data: memory.JSON(data), At: at(sequence)}
}

// readBack is what a read must give for a draft that nothing was linked to.
func readBack(d episodeDraft) *memory.Episode {
	want := d.Episode
	want.Embedding = nil
	return &want
}

func (s suite) episodes(t *testing.T) {
	s.run(t, "every field comes back as it was given", func(m *tenant) {
		m.record(fullEpisode("e1"))
		m.Equal(readBack(fullEpisode("e1")), m.episode("e1"))
	})
	s.run(t, "null stays null and empty stays empty", episodeNullsAndEmpties)
	s.run(t, "lists come back non-nil", episodeLists)
	s.run(t, "episodes come in the order of the keys, nil where there is none", episodesByKey)
	s.run(t, "aggregates and context given by the caller are ignored", func(m *tenant) {
		d := episode("e1", at(0))
		d.Episode.FeedbackSum, d.Episode.FeedbackCount, d.Episode.CanvasActionCount = 3, 4, 5
		d.Episode.Context = &memory.EpisodeContext{Agent: &memory.Agent{Key: "x"}}
		m.record(d)
		m.Equal(readBack(episode("e1", at(0))), m.episode("e1"))
	})
	s.run(t, "the same record again is the same record", episodeAgain)
	s.run(t, "a key taken by other content is a conflict and nothing changes", episodeConflict)
	s.run(t, "the items of a batch are applied in order, each on its own", episodeBatch)
	s.run(t, "an empty batch is nothing", func(m *tenant) {
		m.record()
		m.Empty(m.listed(store.EpisodeFilter{}, memory.NewestFirst))
	})
	s.run(t, "a thousand come in one batch, and are read at once", episodeThousand)
	s.run(t, "parts come along where they are asked for", episodeParts)
	s.run(t, "the newest hundred canvases and feedback come along", episodeContextLimit)
	s.run(t, "a log is read in pages", eventPages)
	s.run(t, "an unknown episode has no log", func(m *tenant) {
		events, more, err := logOf(m.ctx(), m, "none", everything)
		m.NoError(err)
		m.False(more)
		m.NotNil(events)
		m.Empty(events)
		m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "none"})))
	})
	s.run(t, "causes and effects are linked, by key", episodeCauses)
	s.run(t, "a cause that is there did not begin after its effect", episodeLateCause)
	s.run(t, "causes and effects come in pages", episodeLinkPages)
	s.run(t, "previous and next follow the session's order", episodeNeighbours)
}

func episodeNullsAndEmpties(m *tenant) {
	nulls := episode("nulls", at(0))
	empties := episode("empties", at(0)).in("s").doing("").resulting("").titled("").seeing("").thinking("").step("", nil)
	empties.Episode.Actions[0].StepID = new("")
	empties.Episode.Quality = new(0.0)
	m.record(nulls, empties)
	m.Equal(readBack(nulls), m.episode("nulls"))
	m.Equal(readBack(empties), m.episode("empties"))
}

func episodeLists(m *tenant) {
	bare := episode("e1", at(0))
	bare.Episode.Thoughts, bare.Episode.Actions, bare.Episode.ExecutionIDs = nil, nil, nil
	bare.Episode.Segments, bare.Episode.Receipt.Redactions = nil, nil
	m.record(bare)
	m.Equal(readBack(episode("e1", at(0))), m.episode("e1"))

	context := m.episode("e1", store.WithAgent, store.WithCanvases, store.WithFeedback).Context
	m.Equal(&memory.EpisodeContext{
		Agent: &memory.Agent{Key: "agent", Name: "agent"}, Canvases: []*memory.Canvas{}, Feedback: []*memory.Feedback{},
	}, context)
}

func episodesByKey(m *tenant) {
	m.record(episode("a", at(1)), episode("b", at(2)), episode("c", at(3)))
	found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: []string{"c", "none", "a", "c", "A"}})
	m.NoError(err)
	m.Len(found, 5)
	m.Equal([]string{"c", "a", "c"}, episodeKeys([]*memory.Episode{found[0], found[2], found[3]}))
	m.Nil(found[1])
	m.Nil(found[4])

	found, err = m.Episodes(m.ctx(), store.EpisodesByKey{})
	m.NoError(err)
	m.NotNil(found)
	m.Empty(found)
}

func episodeAgain(m *tenant) {
	m.record(fullEpisode("e1"))
	m.react(thumbsUp("f1", at(1)).on("e1"))
	before := m.episode("e1")
	again := m.recorded(fullEpisode("e1"))
	m.Equal([]store.Recorded{{Key: "e1", Created: false}}, again)
	m.Equal(before, m.episode("e1"))
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	m.Equal([]string{"e1"}, m.listed(store.EpisodeFilter{}, memory.NewestFirst))
}

func episodeConflict(m *tenant) {
	m.record(fullEpisode("e1"))
	before := m.episode("e1", store.WithAgent)
	other := episode("e1", at(5)).by("other").named("Eve").in("elsewhere").doing("other").causedBy("e0").
		running("run-9").logging(entry(0, "x", "null"))
	recorded := m.recorded(other)
	m.ErrorIs(recorded[0].Err, store.ErrConflict)
	m.False(recorded[0].Created)

	m.Equal(before, m.episode("e1", store.WithAgent))
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	m.False(m.hasSession("elsewhere"))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.record(episode("e0", at(0)))
	m.Empty(m.linked("e1", memory.LinkCausedBy))
	m.react(thumbsUp("f1", at(6)).running("run-9"))
	m.Nil(m.feedback("f1").EpisodeKey)
}

func episodeBatch(m *tenant) {
	recorded := m.recorded(
		episode("a", at(1)),
		episode("b", at(2)).causedBy("a"),
		episode("a", at(1)),                  // the same again
		episode("b", at(2)).titled("other"),  // a conflict
		episode("c", at(3)).causedBy("b"),    // goes on
		episode("b", at(2)).causedBy("a"),    // the same again
		episode("d", at(4)).named("renamed"), // and on
	)
	for i, want := range []bool{true, true, false, false, true, false, true} {
		m.Equal(want, recorded[i].Created, i)
	}
	for i, r := range recorded {
		if i == 3 {
			m.ErrorIs(r.Err, store.ErrConflict)
		} else {
			m.NoError(r.Err, i)
		}
	}
	m.Equal([]string{"d", "c", "b", "a"}, m.listed(store.EpisodeFilter{}, memory.NewestFirst))
	m.Equal("Title of b", m.episode("b").Title)
	m.Equal([]string{"a"}, m.linked("b", memory.LinkCausedBy))
	m.Equal([]string{"b"}, m.linked("c", memory.LinkCausedBy))
	m.Equal("renamed", m.agent("agent").Name)
}

func episodeThousand(m *tenant) {
	drafts, keys := make([]episodeDraft, 1000), make([]string, 1000)
	for i := range drafts {
		keys[i] = fmt.Sprintf("e%03d", i)
		drafts[i] = episode(keys[i], at(i)).in("s")
	}
	m.record(drafts...)
	found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: keys, Parts: store.WithAgent | store.WithFeedback})
	m.NoError(err)
	m.Equal(keys, episodeKeys(found))
	m.Equal(1000, m.count(store.Count(m.ctx(), m, store.EpisodeQuery{Filter: store.EpisodeFilter{Session: new("s")}})))
}

func episodeParts(m *tenant) {
	m.record(episode("e1", at(0)).named("Ada"))
	m.act(present("c1", at(1)).of("e1"), present("c2", at(2)).of("e1"))
	m.react(thumbsUp("f1", at(3)).on("e1"), thumbsDown("f2", at(4)).onCanvas("c1"))
	agent := &memory.Agent{Key: "agent", Name: "Ada"}
	canvases := []*memory.Canvas{m.canvas("c2"), m.canvas("c1")}
	feedback := []*memory.Feedback{m.feedback("f2"), m.feedback("f1")}
	tests := []struct {
		parts store.Parts
		want  *memory.EpisodeContext
	}{
		{0, nil},
		{store.WithAgent, &memory.EpisodeContext{Agent: agent}},
		{store.WithCanvases, &memory.EpisodeContext{Canvases: canvases}},
		{store.WithFeedback, &memory.EpisodeContext{Feedback: feedback}},
		{
			store.WithAgent | store.WithCanvases | store.WithFeedback,
			&memory.EpisodeContext{Agent: agent, Canvases: canvases, Feedback: feedback},
		},
	}
	for _, test := range tests {
		m.Equal(test.want, m.episode("e1", test.parts).Context, "read with parts %b", test.parts)
		listed, _, err := store.List(m.ctx(), m, store.EpisodeQuery{Parts: test.parts}, everything)
		m.NoError(err)
		m.Len(listed, 1)
		m.Equal(test.want, listed[0].Context, "listed with parts %b", test.parts)
	}
}

func episodeContextLimit(m *tenant) {
	m.record(episode("e1", at(0)))
	const more = memory.ContextLimit + 3
	var shown []actionDraft
	var reactions []feedbackDraft
	for i := range more {
		key := fmt.Sprintf("%03d", i)
		shown = append(shown, present("c"+key, at(i)).of("e1"))
		reactions = append(reactions, rating("f"+key, 1+i%5, at(i)).on("e1"))
	}
	m.act(shown...)
	m.react(reactions...)

	found := m.episode("e1", store.WithCanvases, store.WithFeedback)
	m.Equal(more, found.CanvasActionCount)
	m.Equal(more, found.FeedbackCount)
	m.Len(found.Context.Canvases, memory.ContextLimit)
	m.Len(found.Context.Feedback, memory.ContextLimit)
	m.Equal("c102", found.Context.Canvases[0].Key)
	m.Equal("c003", found.Context.Canvases[memory.ContextLimit-1].Key)
	m.Equal("f102", found.Context.Feedback[0].Key)
	m.Equal("f003", found.Context.Feedback[memory.ContextLimit-1].Key)
}

func eventPages(m *tenant) {
	log := []memory.Event{entry(0, "a", `{"x":1}`), entry(1, "", `""`), entry(2, "c", `[]`), entry(3, "d", "7"), entry(4, "e", "")}
	log[3].At = at(-5) // the order is the log's, not the clock's
	log[4].Data = nil
	m.record(episode("e1", at(0)).logging(log...), episode("e2", at(0)).logging(entry(0, "other", "1")))
	m.Equal(5, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))

	var read []memory.Event
	page := store.Page{Limit: 2}
	for more := true; more; {
		var events []memory.Event
		var err error
		events, more, err = logOf(m.ctx(), m, "e1", page)
		m.NoError(err)
		m.Equal(len(read)+len(events) < len(log), more)
		m.NotEmpty(events)
		read = append(read, events...)
		page.After = &store.Position{Sequence: read[len(read)-1].Sequence}
	}
	m.Equal(log, read)
	for _, before := range []int{-1, -7, math.MinInt} {
		events, more, err := logOf(m.ctx(), m, "e1", store.Page{After: &store.Position{Sequence: before}, Limit: 9})
		m.NoError(err)
		m.Equal(log, events)
		m.False(more)
	}
	for _, beyond := range []int{4, 99, math.MaxInt32, math.MaxInt} {
		events, more, err := logOf(m.ctx(), m, "e1", store.Page{After: &store.Position{Sequence: beyond}, Limit: 9})
		m.NoError(err)
		m.Empty(events)
		m.False(more)
	}
}

func episodeCauses(m *tenant) {
	m.record(
		episode("a", at(5)), episode("c", at(1)), episode("b", at(1)),
		episode("x", at(9)).causedBy("a", "b", "c", "a"), episode("y", at(8)).causedBy("a"), episode("z", at(8)).causedBy("a"),
	)
	m.Equal([]string{"a", "b", "c"}, m.linked("x", memory.LinkCausedBy))
	m.Equal([]string{"x", "y", "z"}, m.linked("a", memory.LinkCauses))
	m.Empty(m.linked("x", memory.LinkCauses))

	linked := m.linkedAll(store.LinkedQuery{Episodes: []string{"a", "b", "none"}, Link: memory.LinkCauses})
	m.Equal([]string{"x", "y", "z"}, episodeKeys(linked["a"]))
	m.Equal([]string{"x"}, episodeKeys(linked["b"]))
	m.Empty(linked["none"])
	m.Equal(m.episode("x"), linked["b"][0])
}

func episodeLateCause(m *tenant) {
	m.record(episode("early", at(0)), episode("late", at(9)), episode("was", at(1)).causedBy("comes"))
	recorded := m.recorded(
		episode("x", at(5)).in("s").causedBy("early", "late"),
		episode("y", at(5)).causedBy("early", "unknown"),
		episode("z", at(4)).causedBy("y"), // of this batch
		episode("same", at(5)).causedBy("y"),
		episode("comes", at(7)), // one that another waits for is not kept out by it
		episode("was", at(1)).causedBy("comes"),
	)
	for i, want := range []bool{false, true, false, true, true, false} {
		m.Equal(want, recorded[i].Created, i)
	}
	for _, i := range []int{0, 2} {
		m.ErrorIs(recorded[i].Err, store.ErrInvalid)
		fault, ok := errors.AsType[*memory.Error](recorded[i].Err)
		m.True(ok)
		m.Equal("causedBy", fault.Field)
	}
	m.NoError(recorded[5].Err, "the same again is the same")
	m.False(m.hasSession("s"))
	m.Equal([]string{"comes"}, m.linked("was", memory.LinkCausedBy))
	m.Equal([]string{"same"}, m.linked("y", memory.LinkCauses))

	kept := episode("x", at(5)).causedBy("early", "late")
	restored, err := m.Restore(m.ctx(), []store.Item{&kept.EpisodeRecord}, false)
	m.NoError(err)
	m.NoError(restored[0].Err, "what an export says is taken as it was")
	m.Equal([]string{"early", "late"}, m.linked("x", memory.LinkCausedBy))
}

// episodeLinkPages pages through the links of several episodes at once, each by the bytes of the keys.
func episodeLinkPages(m *tenant) {
	keys := []string{"a", "a/b", "e1", "e10", "e2", "ß", "\ue000", "ﬀ", "日本", "\ufffd", "😀", "😀a"}
	slices.Sort(keys)
	m.record(episode("hub", at(0)), episode("other", at(0)), episode("lonely", at(0)))
	for i, key := range keys {
		m.record(episode(key, at(20-i)).causedBy("hub", "other"))
	}
	m.record(episode("sum", at(30)).causedBy(keys...))
	for _, test := range []struct {
		of   []string
		link memory.EpisodeLink
	}{{[]string{"hub", "other", "lonely", "none"}, memory.LinkCauses}, {[]string{"sum", "hub"}, memory.LinkCausedBy}} {
		for limit := range len(keys) + 2 {
			read := []string{}
			page := store.Page{Limit: limit}
			for more := true; more; more = more && limit > 0 {
				linked, err := m.Linked(m.ctx(), store.LinkedQuery{Episodes: test.of, Link: test.link, Page: page})
				m.NoError(err)
				found := linked[test.of[0]]
				m.LessOrEqual(len(found.Episodes), limit)
				read = append(read, episodeKeys(found.Episodes)...)
				more = found.More
				m.Equal(len(read) < len(keys), more, "%d of %d", len(read), len(keys))
				m.Empty(linked[test.of[len(test.of)-1]].Episodes)
				if test.link == memory.LinkCauses {
					m.Equal(found, linked["other"])
				}
				page.After = &store.Position{Key: append(read, "")[max(len(read)-1, 0)]}
			}
			m.Equal(keys[:min(limit, 1)*len(keys)], read)
		}
	}
}

func episodeNeighbours(m *tenant) {
	m.record(
		episode("b", at(2)).in("s"), episode("d", at(2)).in("s"), episode("a", at(3)).in("s"), episode("c", at(1)).in("s"),
		episode("other", at(2)).in("t"), episode("loner", at(2)),
	)
	order := []string{"c", "b", "d", "a"}
	all := append([]string{"other", "loner"}, order...)
	next := m.linkedAll(store.LinkedQuery{Episodes: all, Link: memory.LinkNext})
	previous := m.linkedAll(store.LinkedQuery{Episodes: all, Link: memory.LinkPrevious})
	for i := range order[1:] {
		m.Equal([]string{order[i+1]}, episodeKeys(next[order[i]]))
		m.Equal([]string{order[i]}, episodeKeys(previous[order[i+1]]))
	}
	for _, key := range []string{"a", "other", "loner"} {
		m.Empty(next[key], key)
	}
	for _, key := range []string{"c", "other", "loner"} {
		m.Empty(previous[key], key)
	}
}
