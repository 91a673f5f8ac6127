package storetest

import (
	"strings"
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

func (s suite) canvases(t *testing.T) {
	s.run(t, "a canvas comes into being with its first action", canvasFields)
	s.run(t, "actions come by time, those of one instant as they arrived", canvasActionOrder)
	s.run(t, "a null component leaves what the canvas has", func(m *tenant) {
		m.act(present("c1", at(0)))
		m.Nil(m.canvas("c1").ComponentType)
		m.act(present("c1", at(1)).component("bar"), present("c1", at(2)))
		m.Equal(new("bar"), m.canvas("c1").ComponentType)
	})
	s.run(t, "a canvas holds no more than can be read and exported, and what it has comes again", func(m *tenant) {
		large := `"` + strings.Repeat("x", 5<<18) + `"`
		for i, action := range []actionDraft{present("c1", at(0)).id("a"), present("c1", at(1)), present("c1", at(2))} {
			m.act(action.with(large))
			m.Len(m.canvas("c1").Actions, i+1)
		}
		var full *memory.Error
		m.ErrorAs(m.acted(present("c1", at(3)).with(large))[0].Err, &full)
		m.Equal(memory.CodeLimitExceeded, full.Code)
		m.Equal([]store.Recorded{{Key: "c1", Created: true}}, m.acted(present("c1", at(4))))
		m.Equal([]store.Recorded{{Key: "c1"}}, m.acted(present("c1", at(0)).id("a").with(large)))
		m.Len(m.canvas("c1").Actions, 4)
		m.act(present("c2", at(5)).with(large))
	})
	s.run(t, "the same action again is the same action", canvasActionAgain)
	s.run(t, "an action without an id is always another", func(m *tenant) {
		m.act(present("c1", at(0)), present("c1", at(0)))
		m.act(present("c1", at(0)))
		m.Len(m.canvas("c1").Actions, 3)
	})
	s.run(t, "an id belongs to its canvas", func(m *tenant) {
		m.act(present("c1", at(0)).id("a"), present("c2", at(1)).id("a"))
		m.Len(m.canvas("c2").Actions, 1)
	})
	s.run(t, "what a canvas is cannot change", canvasConflicts)
	s.run(t, "the items of a batch are applied in order, each on its own", canvasBatch)
	s.run(t, "every action counts for the episode at once", canvasCounts)
	s.run(t, "a canvas linked by its session moves to the episode it names", canvasMoves)
	s.run(t, "a canvas that names an episode stays there", func(m *tenant) {
		m.record(episode("e1", at(0)), episode("e2", at(1)).in("s"))
		m.act(present("c1", at(2)).of("e1").in("s"))
		m.act(action("c1", memory.CanvasUpdate, at(3)), action("c1", memory.CanvasClose, at(4)).of("e1").in("s"))
		m.requireHolds("e1", []string{"c1"}, none)
		m.requireHolds("e2", none, none)
	})
	s.run(t, "canvases come in the order of the keys, nil where there is none", canvasesByKey)
	s.run(t, "canvases are listed by owner, newest first", canvasLists)
	s.run(t, "a list of canvases is read in pages", canvasPages)
}

func canvasFields(m *tenant) {
	m.act(
		present("c1", at(1)).of("e1").in("s").typed("forms").component("tax").id("a1").with(`{"completed":["name","address"]}`),
		action("c1", memory.CanvasSubmit, at(2)).typed("forms"),
		present("c2", at(3)),
	)
	m.Equal(&memory.Canvas{
		Key: "c1", SessionKey: new("s"), CanvasType: "forms", ComponentType: new("tax"),
		Actions: []memory.CanvasAction{
			{ID: "a1", Action: memory.CanvasPresent, At: at(1), Metadata: memory.JSON(`{"completed":["name","address"]}`)},
			{Action: memory.CanvasSubmit, At: at(2)},
		},
	}, m.canvas("c1"))
	m.Equal(&memory.Canvas{
		Key: "c2", CanvasType: "charts", Actions: []memory.CanvasAction{{Action: memory.CanvasPresent, At: at(3)}},
	}, m.canvas("c2"))
	m.True(m.hasSession("s"))
}

func canvasActionOrder(m *tenant) {
	m.act(action("c1", memory.CanvasUpdate, at(5)).id("1"), action("c1", memory.CanvasClose, at(5)).id("0"))
	m.act(
		action("c1", memory.CanvasExecute, at(9)).id("4"), present("c1", at(1)).id("z"),
		action("c1", memory.CanvasSubmit, at(5)).id("2"),
	)
	c := m.canvas("c1")
	ids := keysOf(c.Actions, func(a memory.CanvasAction) string { return a.ID })
	m.Equal([]string{"z", "1", "0", "2", "4"}, ids)
	m.Equal(at(1), c.CreatedAt())
}

func canvasActionAgain(m *tenant) {
	m.record(episode("e1", at(0)))
	first := present("c1", at(1)).of("e1").id("a1").with(`{"x":1}`)
	m.act(first)
	m.Equal([]store.Recorded{{Key: "c1"}}, m.acted(first))
	m.Equal([]store.Recorded{{Key: "c1"}, {Key: "c1"}}, m.acted(first, first))
	m.Len(m.canvas("c1").Actions, 1)
	m.Equal(1, m.episode("e1").CanvasActionCount)

	m.ErrorIs(m.acted(first.with(`{"x":2}`))[0].Err, store.ErrConflict)
	m.Equal(first.Action, m.canvas("c1").Actions[0])
	m.Len(m.canvas("c1").Actions, 1)
}

func canvasConflicts(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.act(present("c1", at(1)).of("e1").in("s").component("bar"))
	m.act(present("waits", at(1)).of("later"))
	before := m.canvas("c1")
	for name, test := range map[string]struct {
		action  actionDraft
		differs store.Differs
	}{
		"another type":                     {present("c1", at(2)).typed("docs"), store.Differs{Field: "canvasType", Has: "charts"}},
		"another component":                {present("c1", at(2)).component("line"), store.Differs{Field: "componentType", Has: "bar"}},
		"another episode":                  {present("c1", at(2)).of("e2"), store.Differs{Field: "episodeId", Has: "e1"}},
		"another, unknown episode":         {present("c1", at(2)).of("unknown"), store.Differs{Field: "episodeId", Has: "e1"}},
		"another session":                  {present("c1", at(2)).in("t"), store.Differs{Field: "sessionId", Has: "s"}},
		"another than that it waits for":   {present("waits", at(2)).of("e1"), store.Differs{Field: "episodeId", Has: "later"}},
		"a type that differs by case only": {present("c1", at(2)).typed("Charts"), store.Differs{Field: "canvasType", Has: "charts"}},
	} {
		recorded := m.acted(test.action)
		m.ErrorIs(recorded[0].Err, store.ErrConflict, name)
		m.Equal(&test.differs, recorded[0].Err, name)
		m.False(recorded[0].Created, name)
	}
	m.Equal(before, m.canvas("c1"))
	m.requireHolds("e1", []string{"c1"}, none)
	m.requireHolds("e2", none, none)
	m.False(m.hasSession("t"))
	m.Len(m.canvas("waits").Actions, 1)
}

func canvasBatch(m *tenant) {
	m.record(episode("e1", at(0)))
	recorded := m.acted(
		present("c1", at(1)).of("e1").id("a"),
		present("c1", at(2)).typed("docs"),         // a conflict
		present("c1", at(1)).of("e1").id("a"),      // the same again
		action("c1", memory.CanvasClose, at(3)),    // goes on
		present("c2", at(4)).of("e1"),              // and on
		present("c1", at(5)).id("a").typed("docs"), // a conflict twice over
		action("c2", memory.CanvasSubmit, at(6)),
	)
	for i, want := range []bool{true, false, false, true, true, false, true} {
		m.Equal(want, recorded[i].Created, i)
		if i == 1 || i == 5 {
			m.ErrorIs(recorded[i].Err, store.ErrConflict, i)
		} else {
			m.NoError(recorded[i].Err, i)
		}
	}
	m.requireHolds("e1", []string{"c2", "c1"}, none)
	m.Equal(4, m.episode("e1").CanvasActionCount)
}

func canvasCounts(m *tenant) {
	m.record(episode("e1", at(0)))
	m.act(present("c1", at(1)).of("e1"), present("c2", at(1)).of("e1"))
	m.Equal(2, m.episode("e1").CanvasActionCount)
	m.act(action("c1", memory.CanvasUpdate, at(2)))
	m.Equal(3, m.episode("e1").CanvasActionCount)
	m.act(present("c3", at(3)).of("e2"), action("c2", memory.CanvasClose, at(4)))
	m.Equal(4, m.episode("e1").CanvasActionCount)
}

func canvasMoves(m *tenant) {
	m.record(episode("e1", at(0)).in("s"), episode("e2", at(1)))
	m.act(present("c1", at(2)).in("s"), action("c1", memory.CanvasUpdate, at(3)), present("c2", at(2)).in("s"))
	m.react(
		thumbsUp("f1", at(4)).onCanvas("c1"), thumbsDown("f2", at(5)).onCanvas("c1").on("e1"), thumbsUp("f3", at(6)).onCanvas("c2"),
	)
	m.requireHolds("e1", []string{"c1", "c2"}, []string{"f3", "f2", "f1"})

	m.act(action("c1", memory.CanvasClose, at(7)).of("e2"))
	m.requireHolds("e1", []string{"c2"}, []string{"f3", "f2"})
	m.requireHolds("e2", []string{"c1"}, []string{"f1"})
	m.Equal(0.0, m.episode("e1").FeedbackSum)

	m.act(action("c2", memory.CanvasClose, at(8)).of("later"))
	m.requireHolds("e1", none, []string{"f2"})
	m.Nil(m.canvas("c2").EpisodeKey, "it waits for the episode it names")
	m.Nil(m.feedback("f3").EpisodeKey)
	m.record(episode("later", at(9)))
	m.requireHolds("later", []string{"c2"}, []string{"f3"})
}

func canvasesByKey(m *tenant) {
	m.act(present("a", at(1)), present("b", at(2)))
	found, err := store.Get[memory.Canvas](m.ctx(), m, []string{"b", "none", "a", "b"})
	m.NoError(err)
	m.Len(found, 4)
	m.Nil(found[1])
	m.Equal([]string{"b", "a", "b"}, canvasKeys([]*memory.Canvas{found[0], found[2], found[3]}))
	found, err = store.Get[memory.Canvas](m.ctx(), m, nil)
	m.NoError(err)
	m.NotNil(found)
	m.Empty(found)
}

func canvasLists(m *tenant) {
	m.record(episode("e1", at(0)).by("ada"), episode("e2", at(0)).by("ada"), episode("e3", at(0)).by("eve"))
	m.act(
		present("b", at(1)).of("e1"), present("a", at(1)).of("e1"), present("c", at(3)).of("e2"), present("d", at(2)).of("e3"),
		present("homeless", at(2)), action("b", memory.CanvasClose, at(9)),
	)
	m.Equal([]string{"a", "b"}, m.canvasesOf(store.CanvasesOf{Episode: new("e1")}))
	m.Equal([]string{"c", "a", "b"}, m.canvasesOf(store.CanvasesOf{Agent: new("ada")}))
	m.Equal([]string{"d"}, m.canvasesOf(store.CanvasesOf{Agent: new("eve")}))
	m.Empty(m.canvasesOf(store.CanvasesOf{Agent: new("nobody")}))
	m.Empty(m.canvasesOf(store.CanvasesOf{Episode: new("unknown")}))

	m.Equal([]string{"c"}, m.canvasesOf(store.CanvasesOf{Agent: new("ada"), Since: new(at(3))}))
	m.Equal([]string{"c"}, m.canvasesOf(store.CanvasesOf{Agent: new("ada"), Since: new(at(1).Add(time.Millisecond))}))
	m.Equal([]string{"a", "b"}, m.canvasesOf(store.CanvasesOf{Episode: new("e1"), Since: new(at(1))}))
	m.Empty(m.canvasesOf(store.CanvasesOf{Episode: new("e1"), Since: new(at(2))}))
}

func canvasPages(m *tenant) {
	m.record(episode("e1", at(0)))
	var want []string
	for _, minute := range []int{9, 5, 5, 5, 1} {
		key := string(rune('a' + len(want)))
		m.act(present(key, at(minute)).of("e1"))
		want = append(want, key)
	}
	for limit := 1; limit <= len(want)+1; limit++ {
		query := store.CanvasesOf{Episode: new("e1")}
		walked := walk(m, limit, func(page store.Page) ([]*memory.Canvas, bool, error) {
			return store.List(m.ctx(), m, query, page)
		}, func(c *memory.Canvas) store.Position { return store.Position{At: c.CreatedAt(), Key: c.Key} })
		m.Equal(want, canvasKeys(walked), "pages of %d", limit)
	}
}
