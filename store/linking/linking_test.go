package linking_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

var key = new("x")

func TestFeedbackIsLedByTheFirstThatItNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		feedback memory.Feedback
		want     memory.Kind
		waits    bool
	}{
		"all":           {memory.Feedback{EpisodeKey: key, CanvasKey: key, SessionKey: key, Reaction: memory.Reaction{AgentExecutionID: key}}, memory.KindEpisode, true},
		"no episode":    {memory.Feedback{CanvasKey: key, SessionKey: key, Reaction: memory.Reaction{AgentExecutionID: key}}, linking.Execution, true},
		"a canvas":      {memory.Feedback{CanvasKey: key, SessionKey: key}, memory.KindCanvas, false},
		"only session":  {memory.Feedback{SessionKey: key}, linking.Session, true},
		"names nothing": {memory.Feedback{}, linking.Session, false},
	} {
		by := linking.Feedback(&test.feedback)
		require.Equal(t, test.want, by.Kind, name)
		require.Equal(t, test.waits, by.Waits(), name)
	}
}

func at(minute int) time.Time { return time.Date(2025, time.March, 1, 0, minute, 0, 0, time.UTC) }

func span(key string, from int, until ...int) linking.Span {
	s := linking.Span{Key: key, StartedAt: at(from)}
	for _, minute := range until {
		s.EndedAt = new(at(minute))
	}
	return s
}

// told is an episode that was recorded at the end of its work without times.
func told(key string, at int) linking.Span {
	s := span(key, at)
	s.CreatedAt, s.Concluded = s.StartedAt, true
	return s
}

// later is an episode that was recorded as its work began, and concluded without an end.
func later(key string, at int) linking.Span {
	s := told(key, at)
	s.Later = true
	return s
}

// shown is an episode of which a canvas was shown.
func shown(s linking.Span, minute int) linking.Span {
	s.Shown = new(at(minute))
	return s
}

func keyOf(s *linking.Span) string {
	if s == nil {
		return ""
	}
	return s.Key
}

func TestPick(t *testing.T) {
	t.Parallel()
	const day = 24 * 60
	type spans = []linking.Span
	for name, test := range map[string]struct {
		session     spans
		at          int
		picked      string // for feedback
		shown, late string // for a canvas, and by a backfill, where that is another
	}{
		"no episodes":                         {spans{}, 5, "", "", ""},
		"the one that holds the time":         {spans{span("a", 0, 3), span("b", 4, 6), span("c", 7, 9)}, 5, "b", "", ""},
		"its start and its end hold it":       {spans{span("a", 5, 5)}, 5, "a", "", ""},
		"of those that hold it the latest":    {spans{span("b", 2, 9), span("a", 0, 9)}, 5, "b", "", ""},
		"holding comes before later starts":   {spans{span("a", 0, 9), span("b", 3, 4)}, 5, "a", "", ""},
		"an open end holds nothing":           {spans{span("a", 0, 9), span("b", 3)}, 5, "a", "", ""},
		"else the latest started before":      {spans{span("b", 3, 4), span("a", 0, 1), span("c", 8)}, 5, "b", "", ""},
		"a start at the time is before":       {spans{span("a", 4, 4), span("b", 5)}, 5, "b", "", ""},
		"else the first":                      {spans{span("b", 9), span("a", 7)}, 5, "a", "", ""},
		"the first, a day later":              {spans{span("a", 5+day)}, 5, "a", "", ""},
		"the first, more than a day later":    {spans{span("a", 6+day)}, 5, "", "", "a"},
		"together: the first by key":          {spans{span("b", 3), span("a", 3)}, 5, "a", "", ""},
		"together and holding":                {spans{span("b", 3, 9), span("a", 3, 9)}, 5, "a", "", ""},
		"together and later":                  {spans{span("b", 7), span("a", 7)}, 5, "a", "", ""},
		"recorded at its end, the first":      {spans{told("a", 7)}, 5, "a", "", ""},
		"shown since the one before":          {spans{told("a", 3), told("b", 7)}, 5, "a", "b", ""},
		"shown since one with an end":         {spans{span("a", 0, 3), told("b", 7)}, 5, "a", "b", ""},
		"shown while the one before had time": {spans{span("a", 0, 6), told("b", 7)}, 5, "a", "", ""},
		"one that may not be over":            {spans{span("a", 3), told("b", 7)}, 5, "a", "", ""},
		"one that was concluded later":        {spans{later("a", 3), told("b", 7)}, 5, "a", "", ""},
		"before one that was concluded later": {spans{told("a", 3), later("b", 7)}, 5, "a", "", ""},
		"shown as the one before is recorded": {spans{told("a", 5), told("b", 7)}, 5, "a", "", ""},
		"shown a day before the next":         {spans{told("a", 3), told("b", 5+day)}, 5, "a", "b", ""},
		"shown more than a day before":        {spans{told("a", 3), told("b", 6+day)}, 5, "a", "", ""},
		"a canvas of the next was shown":      {spans{told("a", 3), shown(told("b", 7), 4)}, 5, "b", "", ""},
		"it was shown before the end":         {spans{span("a", 0, 3), shown(told("b", 7), 2)}, 5, "a", "b", ""},
		"it was shown more than a day before": {spans{told("a", 3), shown(told("b", 5+day), 4)}, 5, "a", "b", ""},
		"it is of one with times":             {spans{told("a", 3), shown(span("b", 7, 9), 4)}, 5, "a", "", ""},
		"shown before one with times":         {spans{told("a", 3), span("b", 7, 9), told("c", 10)}, 5, "a", "", ""},
	} {
		shown, late := cmp.Or(test.shown, test.picked), cmp.Or(test.late, test.picked)
		require.Equal(t, test.picked, keyOf(linking.Pick(memory.KindFeedback, at(test.at), test.session)), name)
		require.Equal(t, shown, keyOf(linking.Pick(memory.KindCanvas, at(test.at), test.session)), name)
		require.Equal(t, late, keyOf(linking.PickLate(memory.KindFeedback, at(test.at), test.session)), name)
	}
}

// drawSpan draws an episode of a session, in hours, to reach beyond what is in reach.
func drawSpan(random *rapid.T, key string) linking.Span {
	s := linking.Span{Key: key, StartedAt: at(60 * rapid.IntRange(0, 60).Draw(random, "start")), Concluded: rapid.Bool().Draw(random, "concluded"), Later: rapid.Bool().Draw(random, "later")}
	s.CreatedAt = s.StartedAt.Add(time.Duration(rapid.IntRange(0, 1).Draw(random, "told")) * time.Minute)
	if rapid.Bool().Draw(random, "ends") {
		s.EndedAt = new(s.StartedAt.Add(time.Duration(rapid.IntRange(0, 30).Draw(random, "length")) * time.Hour))
	}
	s.Shown = new(at(60 * rapid.IntRange(0, 60).Draw(random, "shown")))
	return s
}

func drawSession(random *rapid.T) (session []linking.Span) {
	for _, key := range []string{"b", "c", "e", "f"}[:rapid.IntRange(0, 4).Draw(random, "episodes")] {
		session = append(session, drawSpan(random, key))
	}
	return session
}

// neighboursOf are those of an episode among others.
func neighboursOf(of *linking.Span, others []linking.Span) (n linking.Neighbours) {
	for _, e := range others {
		switch c := e.StartedAt.Compare(of.StartedAt); {
		case c < 0 && (n.Before == nil || e.StartedAt.After(*n.Before)):
			n.Before = &e.StartedAt
		case c > 0 && (n.Next == nil || e.StartedAt.Before(*n.Next)):
			n.Next = &e.StartedAt
		}
	}
	return n
}

// requireSame holds that outside of some intervals Pick says the same of two sessions at any time.
func requireSame(random *rapid.T, one, other []linking.Span, intervals []linking.Interval) {
	for minute := -26 * 60; minute < 95*60; minute += 30 {
		when := at(minute)
		if slices.ContainsFunc(intervals, func(s linking.Interval) bool { return !when.Before(s.From) && when.Before(s.Until) }) {
			continue
		}
		for _, kind := range []memory.Kind{memory.KindCanvas, memory.KindFeedback} {
			require.Equal(random, keyOf(linking.Pick(kind, when, one)), keyOf(linking.Pick(kind, when, other)), "%s at %s outside of %v", kind, when, intervals)
		}
	}
}

func with(session []linking.Span, e linking.Span) []linking.Span {
	return append(session[:len(session):len(session)], e)
}

// What is decided anew when an episode arrives is all of which the rule says otherwise then, at any time of a session.
func TestAffectedIsWhereAnArrivalChangesTheRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		session, arrived := drawSession(random), drawSpan(random, "d")
		requireSame(random, session, with(session, arrived), []linking.Interval{linking.Affected(&arrived, neighboursOf(&arrived, session))})
	})
}

// So is what is decided anew when one that is there is concluded, or begins at another time.
func TestAffectedByChangeIsWhereAConclusionChangesTheRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(random *rapid.T) {
		session, was := drawSession(random), drawSpan(random, "d")
		is := drawSpan(random, "d")
		is.Shown = was.Shown
		if rapid.Bool().Draw(random, "stays") {
			is.StartedAt, is.CreatedAt = was.StartedAt, was.CreatedAt
		}
		requireSame(random, with(session, was), with(session, is), linking.AffectedByChange(&was, &is, neighboursOf(&was, session), neighboursOf(&is, session)))
	})
}

func TestAffectedByAChangeOfAnEndIsLittle(t *testing.T) {
	t.Parallel()
	was := span("b", 5)
	n := linking.Neighbours{Before: new(at(2)), Next: new(at(9))}
	require.Empty(t, linking.AffectedByChange(&was, new(later("b", 5)), n, n), "it ends without saying when")
	require.Equal(t, []linking.Interval{{From: at(2), Until: at(9)}}, linking.AffectedByChange(&was, new(span("b", 5, 7)), n, n))
	require.Equal(t, []linking.Interval{{From: at(2), Until: at(12).Add(time.Millisecond)}}, linking.AffectedByChange(&was, new(span("b", 5, 12)), n, n))
	require.Empty(t, linking.AffectedByChange(new(span("b", 5, 7)), new(span("b", 5, 7)), n, n))
}

func TestJoin(t *testing.T) {
	t.Parallel()
	interval := func(from, until int) linking.Interval { return linking.Interval{From: at(from), Until: at(until)} }
	require.Equal(t, []linking.Interval{interval(0, 6), interval(8, 9)}, linking.Join([]linking.Interval{
		interval(8, 9), interval(4, 6), interval(7, 7), interval(0, 3), interval(2, 4), interval(1, 2),
	}))
}

func TestCanvasLearns(t *testing.T) {
	t.Parallel()
	other := new("y")
	episode, session := linking.PendingRef{Kind: memory.KindEpisode, Key: "x"}, linking.PendingRef{Kind: linking.Session, Key: "x"}
	for name, test := range map[string]struct {
		canvas  linking.CanvasState
		action  store.CanvasActionRecord
		differs string
		by      linking.PendingRef
	}{
		"nothing to go by":                  {},
		"an episode is named":               {action: store.CanvasActionRecord{Episode: key, Session: other}, by: episode},
		"named before":                      {canvas: linking.CanvasState{Named: key}, action: store.CanvasActionRecord{Episode: key}, by: episode},
		"another is named":                  {canvas: linking.CanvasState{Named: other}, action: store.CanvasActionRecord{Episode: key}, differs: "episodeId"},
		"a session":                         {action: store.CanvasActionRecord{Session: key}, by: session},
		"a session, known and waiting":      {canvas: linking.CanvasState{Canvas: memory.Canvas{SessionKey: key}}, by: session},
		"linked by session, named now":      {canvas: linking.CanvasState{Canvas: memory.Canvas{SessionKey: other}}, action: store.CanvasActionRecord{Episode: key}, by: episode},
		"named, and in a session now":       {canvas: linking.CanvasState{Named: key}, action: store.CanvasActionRecord{Session: other}, by: episode},
		"another session":                   {canvas: linking.CanvasState{Canvas: memory.Canvas{SessionKey: other}}, action: store.CanvasActionRecord{Session: key}, differs: "sessionId"},
		"another type":                      {action: store.CanvasActionRecord{CanvasType: "forms"}, differs: "canvasType"},
		"a component, for the first time":   {action: store.CanvasActionRecord{ComponentType: key}},
		"another component than it said":    {canvas: linking.CanvasState{Canvas: memory.Canvas{ComponentType: other}}, action: store.CanvasActionRecord{ComponentType: key}, differs: "componentType"},
		"an action that says nothing of it": {canvas: linking.CanvasState{Canvas: memory.Canvas{ComponentType: other}}},
	} {
		err := test.canvas.Admit(&test.action)
		if test.differs != "" {
			var differs *store.Differs
			require.ErrorAs(t, err, &differs, name)
			require.Equal(t, test.differs, differs.Field, name)
			continue
		}
		require.NoError(t, err, name)
		test.canvas.Learn(&test.action)
		require.Equal(t, test.by, test.canvas.EpisodeRef(), name)
		require.NoError(t, test.canvas.Admit(&test.action), "%s: what was learnt agrees", name)
	}
}

func TestMoves(t *testing.T) {
	t.Parallel()
	moves := linking.Moves{}
	moves.Canvas("", 0, "a", 2) // appears with two actions
	moves.Canvas("a", 2, "a", 3)
	moves.Canvas("a", 3, "b", 4)
	moves.Canvas("", 1, "", 2)
	moves.Feedback("", "a", 0.5)
	moves.Feedback("a", "b", 0.5)
	moves.Feedback("c", "", -1)
	sums := map[string]linking.Sums{}
	var order []string
	for episode, more := range moves.Sums() {
		sums[episode], order = more, append(order, episode)
	}
	require.Equal(t, map[string]linking.Sums{
		"b": {Canvases: 1, Actions: 4, Feedback: 1, Score: 0.5}, "c": {Feedback: -1, Score: 1},
	}, sums, "what came and went is not there")
	require.Equal(t, []string{"b", "c"}, order)

	moves = linking.Moves{}
	for range moves.Sums() {
		t.Fatal("nothing moved")
	}
}
