package linking_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

var key = new("x")

func TestFeedbackIsLedByTheFirstThatItNames(t *testing.T) {
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

func TestEpisodeIsAwaitedByKeyExecutionsAndSession(t *testing.T) {
	require.Equal(t, []linking.Awaited{{Kind: memory.KindEpisode, Key: "e"}}, linking.Episode(&memory.Episode{Key: "e"}))
	require.Equal(t, []linking.Awaited{
		{Kind: memory.KindEpisode, Key: "e"}, {Kind: linking.Execution, Key: "1"}, {Kind: linking.Execution, Key: "2"}, {Kind: linking.Session, Key: "x"},
	}, linking.Episode(&memory.Episode{Key: "e", ExecutionIDs: []string{"1", "2"}, SessionKey: key}))
}

func at(minute int) time.Time { return time.Date(2025, time.March, 1, 0, minute, 0, 0, time.UTC) }

func span(key string, from int, until ...int) linking.Span {
	s := linking.Span{Key: key, StartedAt: at(from)}
	for _, minute := range until {
		s.EndedAt = new(at(minute))
	}
	return s
}

func TestPick(t *testing.T) {
	type spans = []linking.Span
	for name, test := range map[string]struct {
		session             spans
		at                  int
		picked, whenArrived string
	}{
		"no episodes":                         {nil, 5, "", ""},
		"the one that holds the time":         {spans{span("a", 0, 3), span("b", 4, 6), span("c", 7, 9)}, 5, "b", "b"},
		"its start and its end hold it":       {spans{span("a", 5, 5)}, 5, "a", "a"},
		"of those that hold it the latest":    {spans{span("b", 2, 9), span("a", 0, 9)}, 5, "b", "b"},
		"holding comes before later starts":   {spans{span("a", 0, 9), span("b", 3, 4)}, 5, "a", "a"},
		"an open end holds nothing":           {spans{span("a", 0, 9), span("b", 3)}, 5, "a", "a"},
		"else the latest started before":      {spans{span("a", 0, 1), span("b", 3, 4), span("c", 8)}, 5, "b", "b"},
		"a start at the time is before":       {spans{span("a", 4, 4), span("b", 5)}, 5, "b", "b"},
		"else the first, for who looks later": {spans{span("b", 9), span("a", 7)}, 5, "a", ""},
		"together: the first by key":          {spans{span("b", 3), span("a", 3)}, 5, "a", "a"},
		"together and holding":                {spans{span("b", 3, 9), span("a", 3, 9)}, 5, "a", "a"},
		"together and later":                  {spans{span("b", 7), span("a", 7)}, 5, "a", ""},
	} {
		keyOf := func(s *linking.Span) string {
			if s == nil {
				return ""
			}
			return s.Key
		}
		require.Equal(t, test.picked, keyOf(linking.Pick(at(test.at), test.session)), name)
		require.Equal(t, test.whenArrived, keyOf(linking.PickArrived(at(test.at), test.session)), name)
	}
}

func TestCanvasLearns(t *testing.T) {
	other := new("y")
	episode, session := linking.Awaited{Kind: memory.KindEpisode, Key: "x"}, linking.Awaited{Kind: linking.Session, Key: "x"}
	for name, test := range map[string]struct {
		canvas linking.Canvas
		linked bool
		action store.CanvasActionRecord
		admits bool
		by     linking.Awaited
	}{
		"nothing to go by":                  {admits: true},
		"an episode is named":               {action: store.CanvasActionRecord{Episode: key, Session: other}, admits: true, by: episode},
		"named before":                      {canvas: linking.Canvas{Named: key}, action: store.CanvasActionRecord{Episode: key}, admits: true},
		"another is named":                  {canvas: linking.Canvas{Named: other}, action: store.CanvasActionRecord{Episode: key}},
		"a session":                         {action: store.CanvasActionRecord{Session: key}, admits: true, by: session},
		"a session, known and waiting":      {canvas: linking.Canvas{Canvas: memory.Canvas{SessionKey: key}}, admits: true, by: session},
		"a session, known and linked":       {canvas: linking.Canvas{Canvas: memory.Canvas{SessionKey: key}}, linked: true, admits: true},
		"linked by session, named now":      {canvas: linking.Canvas{Canvas: memory.Canvas{SessionKey: other}}, linked: true, action: store.CanvasActionRecord{Episode: key}, admits: true, by: episode},
		"named, and in a session now":       {canvas: linking.Canvas{Named: other}, action: store.CanvasActionRecord{Session: key}, admits: true},
		"another session":                   {canvas: linking.Canvas{Canvas: memory.Canvas{SessionKey: other}}, action: store.CanvasActionRecord{Session: key}},
		"another type":                      {action: store.CanvasActionRecord{CanvasType: "forms"}},
		"a component, for the first time":   {action: store.CanvasActionRecord{ComponentType: key}, admits: true},
		"another component than it said":    {canvas: linking.Canvas{Canvas: memory.Canvas{ComponentType: other}}, action: store.CanvasActionRecord{ComponentType: key}},
		"an action that says nothing of it": {canvas: linking.Canvas{Canvas: memory.Canvas{ComponentType: other}}, admits: true},
	} {
		require.Equal(t, test.admits, test.canvas.Admits(&test.action), name)
		if test.admits {
			require.Equal(t, test.by, test.canvas.Learn(&test.action, test.linked), name)
			require.True(t, test.canvas.Admits(&test.action), "%s: what was learnt agrees", name)
		}
	}
}

func TestMoves(t *testing.T) {
	var moves linking.Moves[string]
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
	require.Equal(t, store.Backfilled{Canvases: 1, Feedback: 1, Episodes: 2}, moves.Backfilled())

	moves = linking.Moves[string]{}
	for range moves.Sums() {
		t.Fatal("nothing moved")
	}
	require.Zero(t, moves.Backfilled())
}
