package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) feedback(t *testing.T) {
	s.run(t, "every field comes back as it was given", feedbackFields)
	s.run(t, "the first way to an episode that it names counts", feedbackPrecedence)
	s.run(t, "of the episodes that list an execution the one that started first counts", feedbackOfSharedExecution)
	s.run(t, "the aggregate is right at once", feedbackAggregates)
	s.run(t, "the same feedback again is the same feedback", feedbackAgain)
	s.run(t, "the items of a batch are applied in order, each on its own", feedbackBatch)
	s.run(t, "feedback comes in the order of the keys, nil where there is none", feedbackByKey)
	s.run(t, "feedback is listed by owner, newest first", feedbackLists)
	s.run(t, "a list of feedback is read in pages", feedbackPages)
	s.run(t, "feedback alone brings its session into being", func(m *tenant) {
		m.react(thumbsUp("f1", at(0)).in("s"))
		m.True(m.hasSession("s"))
		m.False(m.hasSession("S"))
	})
}

func feedbackFields(m *tenant) {
	m.record(episode("e1", at(0)))
	m.act(present("c1", at(1)).of("e1"))
	full := rating("full", 2, at(2)).on("e1").onCanvas("c1").in("s").running("run").by("ann").saying("use the other form").commenting("quick, though")
	full.Feedback.Source = memory.SourceWorkflow
	full.Feedback.Receipt = memory.Receipt{
		TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 1}},
	}
	bare := thumbsUp("bare", at(3)).on("e1")
	empty := thumbsDown("empty", at(4)).on("e1").by("").saying("").commenting("").running("")
	empty.Feedback.Receipt.Redactions = nil
	m.react(full, bare, empty)
	m.Equal(&full.Feedback, m.feedback("full"))
	m.Equal(&bare.Feedback, m.feedback("bare"))
	want := empty.Feedback
	want.Receipt.Redactions = []memory.Redaction{}
	m.Equal(&want, m.feedback("empty"))
}

func feedbackPrecedence(m *tenant) {
	m.record(
		episode("by key", at(0)), episode("by run", at(0)).running("run"), episode("by canvas", at(0)), episode("by session", at(0)).in("s"),
	)
	m.act(present("c1", at(1)).of("by canvas"), present("homeless", at(1)))
	all := thumbsUp("", at(2)).in("s")
	tests := []struct {
		name  string
		draft feedbackDraft
		want  *string
	}{
		{"key first", all.onCanvas("c1").running("run").on("by key"), new("by key")},
		{"then execution", all.onCanvas("c1").running("run"), new("by run")},
		{"then canvas", all.onCanvas("c1"), new("by canvas")},
		{"then session", all, new("by session")},
		{"an unknown key is waited for", all.onCanvas("c1").running("run").on("unknown"), nil},
		{"an unknown execution is waited for", all.onCanvas("c1").running("unknown"), nil},
		{"an unknown canvas is waited for", all.onCanvas("unknown"), nil},
		{"a canvas without an episode is waited for", all.onCanvas("homeless"), nil},
		{"a session without an episode is waited for", thumbsUp("", at(2)).in("t"), nil},
	}
	for _, test := range tests {
		test.draft.Feedback.Key = test.name
		m.react(test.draft)
		m.Equal(test.want, m.feedback(test.name).EpisodeKey, test.name)
	}
	m.requireHolds("by key", none, []string{"key first"})
	m.requireHolds("by run", none, []string{"then execution"})
	m.requireHolds("by canvas", []string{"c1"}, []string{"then canvas"})
	m.requireHolds("by session", none, []string{"then session"})
}

func feedbackOfSharedExecution(m *tenant) {
	m.react(thumbsUp("f0", at(1)).running("run"))
	m.record(episode("e5", at(5)).running("run"))
	m.record(episode("e3", at(2)).running("run"), episode("e2", at(2)).running("other", "run"), episode("e9", at(9)).running("run"))
	m.requireHolds("e5", none, []string{"f0"})
	m.react(thumbsUp("f1", at(10)).running("run"))
	m.requireHolds("e2", none, []string{"f1"})
	m.remove("e2")
	m.react(thumbsDown("f2", at(10)).running("run"))
	m.requireHolds("e3", none, []string{"f2"})
	m.requireHolds("e5", none, []string{"f0"})
	m.requireHolds("e9", none, none)
}

func feedbackAggregates(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.Nil(m.episode("e1").AggregateFeedbackScore())
	m.react(thumbsUp("f1", at(1)).on("e1"))
	m.Equal(new(1.0), m.episode("e1").AggregateFeedbackScore())
	m.react(rating("f2", 4, at(2)).on("e1"))
	m.Equal(new(0.75), m.episode("e1").AggregateFeedbackScore())
	m.react(rating("f3", 3, at(3)).on("e2"), thumbsDown("f4", at(4)).on("e1"), thumbsDown("f5", at(5)).on("e1"))
	m.Equal(new(-0.125), m.episode("e1").AggregateFeedbackScore())
	m.Equal(new(0.0), m.episode("e2").AggregateFeedbackScore(), "neutral feedback is feedback")
}

func feedbackAgain(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	first := thumbsUp("f1", at(1)).on("e1").saying("well done")
	m.react(first)
	before := m.feedback("f1")
	m.Equal([]store.Recorded{{Key: "f1"}}, m.reacted(first))
	for _, other := range []feedbackDraft{
		first.saying("badly done"), first.commenting("badly done"), thumbsDown("f1", at(1)).on("e1"), first.on("e2").in("elsewhere"),
	} {
		recorded := m.reacted(other)
		m.ErrorIs(recorded[0].Err, store.ErrConflict)
		m.False(recorded[0].Created)
	}
	m.Equal(before, m.feedback("f1"))
	m.requireHolds("e1", none, []string{"f1"})
	m.requireHolds("e2", none, none)
	m.False(m.hasSession("elsewhere"))
}

func feedbackBatch(m *tenant) {
	m.record(episode("e1", at(0)))
	recorded := m.reacted(
		thumbsUp("f1", at(1)).on("e1"),
		thumbsDown("f1", at(1)).on("e1"), // a conflict
		thumbsUp("f1", at(1)).on("e1"),   // the same again
		rating("f2", 4, at(2)).on("e1"),  // goes on
	)
	for i, want := range []bool{true, false, false, true} {
		m.Equal(want, recorded[i].Created, i)
	}
	m.ErrorIs(recorded[1].Err, store.ErrConflict)
	m.NoError(recorded[2].Err)
	m.requireHolds("e1", none, []string{"f2", "f1"})
}

func feedbackByKey(m *tenant) {
	m.react(thumbsUp("a", at(1)).on("e1"), thumbsUp("b", at(2)).on("e1"))
	found, err := store.Get[memory.Feedback](m.ctx(), m, []string{"b", "none", "a", "b"})
	m.NoError(err)
	m.Len(found, 4)
	m.Nil(found[1])
	m.Equal([]string{"b", "a", "b"}, feedbackKeys([]*memory.Feedback{found[0], found[2], found[3]}))
	found, err = store.Get[memory.Feedback](m.ctx(), m, nil)
	m.NoError(err)
	m.NotNil(found)
	m.Empty(found)
}

func feedbackLists(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.act(present("c1", at(1)).of("e1"), present("c2", at(1)).of("e2"), present("c3", at(1)))
	m.react(
		thumbsUp("d", at(2)).on("e1"), thumbsUp("b", at(3)).onCanvas("c1"), thumbsUp("a", at(3)).onCanvas("c1"),
		thumbsUp("e", at(4)).onCanvas("c2"), thumbsUp("f", at(1)).onCanvas("c3"), thumbsUp("g", at(9)).on("unknown"),
	)
	m.Equal([]string{"a", "b", "d"}, m.feedbackOf(store.FeedbackOf{Episode: new("e1")}))
	m.Equal([]string{"a", "b"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	m.Equal([]string{"e", "a", "b", "f"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c3", "c1", "unknown", "c2", "c1"}}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Episode: new("unknown")}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"unknown"}}))
}

func feedbackPages(m *tenant) {
	m.record(episode("e1", at(0)))
	m.act(present("c1", at(1)).of("e1"))
	var want []string
	for _, minute := range []int{9, 5, 5, 5, 1} {
		key := string(rune('a' + len(want)))
		m.react(thumbsUp(key, at(minute)).onCanvas("c1"))
		want = append(want, key)
	}
	for _, query := range []store.FeedbackOf{{Episode: new("e1")}, {Canvases: []string{"c1"}}} {
		for limit := 1; limit <= len(want)+1; limit++ {
			walked := walk(m, limit, func(page store.Page) ([]*memory.Feedback, bool, error) {
				return store.List(m.ctx(), m, query, page)
			}, func(f *memory.Feedback) store.Position { return store.Position{At: f.CreatedAt, Key: f.Key} })
			m.Equal(want, feedbackKeys(walked), "pages of %d", limit)
		}
	}
}
