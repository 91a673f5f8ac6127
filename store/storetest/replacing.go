package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) replacing(t *testing.T) {
	s.run(t, "feedback that was replaced is history and counts no more", replacedIsHistory)
	s.run(t, "the new one is on what the earlier one is on", replacingTargets)
	s.run(t, "what may not be replaced is refused", replacingRefused)
	s.run(t, "of a batch one replaces another", replacingInBatch)
	s.run(t, "both find what they wait for, and one counts", replacedWaits)
	s.run(t, "deleting the new one does not bring the earlier one back", replacedAndDeleted)
	s.run(t, "of many that replace one at once the first does", replacedAtOnce)
	s.run(t, "a search finds what was said last", replacedIsNotFound)
	s.run(t, "where the new one comes back, the earlier one counts no more", replacedByImport)
}

// replacing takes the place of an earlier feedback.
func (d feedbackDraft) replacing(key string) feedbackDraft { d.Feedback.Replaces = &key; return d }

func replacedIsHistory(m *tenant) {
	m.record(episode("e1", at(0)).doing("refund"))
	m.act(present("c1", at(0)).of("e1"))
	m.react(thumbsDown("f1", at(1)).on("e1").onCanvas("c1").in("s").by("ann").saying("ask first"), rating("other", 4, at(1)).on("e1"))
	m.react(thumbsUp("f2", at(3)).by("ann").replacing("f1"))

	f1, f2 := m.feedback("f1"), m.feedback("f2")
	m.Equal(new(at(3)), f1.ReplacedAt)
	m.Equal(new("f1"), f2.Replaces)
	m.Equal([]*string{new("e1"), new("c1"), new("s")}, []*string{f2.EpisodeKey, f2.CanvasKey, f2.SessionKey})
	m.Equal([]*string{new("e1"), new("c1"), new("s")}, []*string{f1.EpisodeKey, f1.CanvasKey, f1.SessionKey})

	m.requireHolds("e1", []string{"c1"}, []string{"f2", "other"})
	m.Equal(new(0.75), m.episode("e1").AggregateFeedbackScore())
	for _, query := range []store.FeedbackOf{{Episode: new("e1")}, {}, {Waiting: new(false)}} {
		m.Equal([]string{"f2", "other"}, m.feedbackOf(query))
	}
	m.Equal([]string{"f2"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	m.Equal([]string{"f2", "f1", "other"}, m.feedbackOf(store.FeedbackOf{Episode: new("e1"), AsOf: new(at(2))}))
	m.Equal([]string{"f2", "other"}, m.feedbackOf(store.FeedbackOf{Episode: new("e1"), AsOf: new(at(3))}))
	m.Empty(m.outcomes(store.EpisodeFilter{})[0].Interventions)

	then := m.find("e1", store.WithFeedback, new(at(2)))
	m.Equal([]string{"f1", "other"}, feedbackKeys(then.Context.Feedback))
	m.Equal(-0.5, then.FeedbackSum)
	m.Equal(2, then.FeedbackCount)
	hit := m.hits(situation{asOf: new(at(2))})["e1"]
	m.Equal([]any{2, -0.5}, []any{hit.FeedbackCount, hit.FeedbackSum})
	m.Len(m.hits(situation{asOf: new(at(2)), filter: store.EpisodeFilter{MaxFeedback: new(-0.25)}}), 1)
	m.Empty(m.hits(situation{filter: store.EpisodeFilter{MaxFeedback: new(-0.25)}}))
}

func replacingTargets(m *tenant) {
	m.record(episode("e1", at(0)).in("s"), episode("run", at(0)).running("x"))
	m.act(present("c1", at(1)).in("elsewhere"))
	m.react(thumbsUp("by session", at(1)).in("s"), thumbsUp("by run", at(1)).running("x"), thumbsUp("by canvas", at(1)).onCanvas("c1"))
	m.record(episode("e2", at(30)).in("s"))
	m.react(
		thumbsDown("1", at(40)).in("s").replacing("by session"), thumbsDown("2", at(40)).on("run").replacing("by run"),
		thumbsDown("3", at(40)).onCanvas("c1").replacing("by canvas"),
	)
	m.requireHolds("e1", none, []string{"1"})
	m.requireHolds("e2", none, none)
	m.requireHolds("run", none, []string{"2"})
	m.record(episode("e3", at(0)).in("elsewhere"))
	m.requireHolds("e3", []string{"c1"}, []string{"3"})
}

func replacingRefused(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.react(thumbsUp("f1", at(1)).on("e1").by("ann"), thumbsUp("gone", at(1)).on("e1"), thumbsUp("now", at(2)).replacing("gone"))
	byAdmin := thumbsDown("f2", at(2)).by("root").replacing("f1")
	byAdmin.ByAdmin = true
	for _, test := range []struct {
		draft feedbackDraft
		code  memory.Code
		field string
	}{
		{thumbsDown("f2", at(2)).replacing("unknown"), memory.CodeNotFound, "replaces"},
		{thumbsDown("f2", at(2)).by("bob").replacing("f1"), memory.CodeForbidden, "replaces"},
		{thumbsDown("f2", at(2)).replacing("f1"), memory.CodeForbidden, "replaces"},
		{thumbsDown("f2", at(2)).replacing("gone"), memory.CodeConflict, "replaces"},
		{thumbsDown("f2", at(2)).by("ann").on("e2").replacing("f1"), memory.CodeInvalidInput, "episodeId"},
	} {
		var fault *memory.Error
		m.ErrorAs(m.reacted(test.draft)[0].Err, &fault)
		m.Equal(test.code, fault.Code)
		m.Equal(test.field, fault.Field)
	}
	m.Equal(2.0, m.episode("e1").FeedbackSum)
	m.react(byAdmin)
	m.Equal(0.0, m.episode("e1").FeedbackSum)
	m.Equal([]store.Recorded{{Key: "f2"}}, m.reacted(byAdmin), "the same again is the same")
	m.requireHolds("e1", none, []string{"f2", "now"})
}

func replacingInBatch(m *tenant) {
	m.record(episode("e1", at(0)))
	recorded := m.reacted(
		thumbsUp("f1", at(1)).on("e1"), thumbsDown("f2", at(2)).replacing("f1"), rating("f3", 5, at(3)).replacing("f2"),
		thumbsDown("f4", at(4)).replacing("f2"), thumbsDown("f5", at(5)).on("e1"),
	)
	m.allCreated(append(recorded[:3:3], recorded[4]))
	m.ErrorIs(recorded[3].Err, store.ErrConflict)
	m.requireHolds("e1", none, []string{"f5", "f3"})
	for minute, want := range []float64{0, 1, -1, 1, 1, 0} {
		m.Equal(want, m.find("e1", 0, new(at(minute))).FeedbackSum, "minute %d", minute)
	}
}

func replacedWaits(m *tenant) {
	m.react(thumbsUp("f1", at(1)).on("later"), thumbsUp("g1", at(1)).onCanvas("later"))
	m.react(thumbsDown("f2", at(2)).replacing("f1"), thumbsDown("g2", at(2)).replacing("g1"))
	m.Equal([]string{"f2", "g2"}, m.feedbackOf(store.FeedbackOf{Waiting: new(true)}))
	m.record(episode("later", at(0)))
	m.act(present("later", at(1)).of("later"))
	m.requireHolds("later", []string{"later"}, []string{"f2", "g2"})
	m.Equal(new("later"), m.feedback("f1").EpisodeKey)
	m.Equal(2.0, m.find("later", 0, new(at(1))).FeedbackSum)
}

func replacedAndDeleted(m *tenant) {
	m.record(episode("e1", at(0)))
	m.react(thumbsUp("f1", at(1)).on("e1"), thumbsDown("f2", at(2)).replacing("f1"))
	m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "f2"))
	m.requireHolds("e1", none, none)
	m.NotNil(m.feedback("f1").ReplacedAt)
	m.Equal(1.0, m.find("e1", 0, new(at(1))).FeedbackSum)
	m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "f1"))
	m.Zero(m.find("e1", 0, new(at(1))).FeedbackCount)
	m.requireHolds("e1", none, none)
}

func replacedAtOnce(m *tenant) {
	m.record(episode("e1", at(0)))
	m.react(thumbsUp("f", at(1)).on("e1"), thumbsUp("w", at(1)).running("later"))
	var replaced atomic.Int32
	m.together(16, func(i int) error {
		recorded, err := store.Record(m.ctx(), m, feedbackRecords([]feedbackDraft{
			thumbsDown(fmt.Sprintf("f%d", i), at(2)).replacing("f"), thumbsDown(fmt.Sprintf("w%d", i), at(2)).replacing("w"),
		}))
		for _, r := range recorded {
			if r.Created {
				replaced.Add(1)
			}
		}
		return err
	})
	m.EqualValues(2, replaced.Load())
	m.record(episode("later", at(0)).running("later"))
	for _, key := range []string{"e1", "later"} {
		m.Equal([]any{1, -1.0}, []any{m.episode(key).FeedbackCount, m.episode(key).FeedbackSum})
	}
}

func replacedIsNotFound(m *tenant) {
	m.record(episode("e1", at(0)))
	m.react(thumbsDown("f1", at(1)).on("e1").saying("a walrus"), thumbsDown("f2", at(2)).saying("an okapi").replacing("f1"))
	m.Empty(m.matches("walrus", memory.KindFeedback))
	m.Len(m.matches("okapi", memory.KindFeedback), 1)
}

func replacedByImport(m *tenant) {
	m.record(episode("e1", at(0)))
	m.react(thumbsUp("f1", at(1)).on("e1"))
	later := feedbackRecords([]feedbackDraft{thumbsDown("f2", at(2)).on("e1").replacing("f1")})[0]
	recorded, err := m.Restore(m.ctx(), []store.Item{&store.FeedbackItem{FeedbackRecord: later, Linked: new("e1")}}, false)
	m.NoError(err)
	m.NoError(recorded[0].Err)
	m.requireHolds("e1", none, []string{"f2"})
}
