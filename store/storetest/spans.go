package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

// much is room for all that a test holds.
var much = store.TraceRoom{Spans: 1000, Bytes: 1 << 20}

// held is a span of a trace; without a parent it is the root.
func held(trace, id, parent string) store.HeldSpan {
	return store.HeldSpan{
		Trace: trace,
		Span: memory.Span{
			ID: id, Parent: parent, Kind: memory.SpanTool, Name: "look <up>", Given: memory.JSON(`{"a":1}`), Said: []string{"ü"},
			StartedAt: at(0).Add(123 * time.Nanosecond), EndedAt: at(1),
		},
		Receipt: memory.Receipt{TokensBefore: 2, TokensAfter: 1, Redactions: []memory.Redaction{{Kind: "private", Count: 1}}},
	}
}

func (s suite) spans(t *testing.T) {
	s.run(t, "what is held comes back as it was, by ID", func(m *tenant) {
		m.hold(at(0), held("t", "b", "a"), held("t", "a", ""), held("other", "a", ""))
		m.Equal([]store.HeldSpan{held("t", "a", ""), held("t", "b", "a")}, m.heldOf("t"))
		m.Equal([]store.HeldSpan{}, m.heldOf("T"))
	})
	s.run(t, "a span sent again stays the first, with its time", func(m *tenant) {
		m.hold(at(0), held("t", "a", ""))
		again := held("t", "a", "")
		again.Span.Name = "another"
		m.hold(at(9), again)
		m.Equal([]store.HeldSpan{held("t", "a", "")}, m.heldOf("t"))
		m.Equal([]string{"t"}, m.due(at(0), at(0)))
	})
	s.run(t, "traces are due by their latest span, with and without their root", dueTraces)
	s.run(t, "what is released is gone, and the rest stays", func(m *tenant) {
		m.hold(at(0), held("t", "a", ""), held("t", "b", "a"), held("other", "a", ""))
		m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"a", "none"}))
		m.Equal([]store.HeldSpan{held("t", "b", "a")}, m.heldOf("t"))
		m.Len(m.heldOf("other"), 1)
		m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"b"}))
		m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"b"}))
		m.NoError(m.ReleaseSpans(m.ctx(), "t", nil))
		m.Equal([]string{"other"}, m.due(at(9), at(9)))
	})
	s.run(t, "nothing is held of nothing", func(m *tenant) {
		m.hold(at(0))
		m.Empty(m.due(at(9), at(9)))
	})
	t.Run("what is held is nobody else's and no node", func(t *testing.T) {
		backend := s.open(t)
		m, other := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
		m.hold(at(0), held("t", "a", ""))
		other.Empty(other.heldOf("t"))
		other.Empty(other.due(at(9), at(9)))
		m.Nil(m.find("t", 0, nil))
	})
	s.run(t, "with an episode goes what is held of the trace of its key", func(m *tenant) {
		m.record(episode("t", at(0)))
		m.hold(at(0), held("t", "a", ""), held("other", "a", ""))
		m.NoError(m.DeleteEpisode(m.ctx(), "t"))
		m.Empty(m.heldOf("t"))
		m.Len(m.heldOf("other"), 1)
	})
	s.run(t, "what there is no room for is left", heldWithinRoom)
	s.run(t, "room is of a trace with its episode, and repeats take none", heldBesideAnEpisode)
	s.run(t, "what is held is read in parts", heldInParts)
	s.run(t, "many hold spans of one trace at once", func(m *tenant) {
		m.together(8, func(i int) error {
			return errorOf(m.HoldSpans(m.ctx(), []store.HeldSpan{held("t", "root", ""), held("t", fmt.Sprint(i), "root")}, at(i), much))
		})
		m.Len(m.heldOf("t"), 9)
	})
}

func dueTraces(m *tenant) {
	m.hold(at(1), held("ended", "a", ""))
	m.hold(at(3), held("ended", "b", "a"))
	m.hold(at(2), held("open", "b", "a"))
	m.hold(at(2), held("early", "a", ""))
	m.Equal([]string{}, m.due(at(1), at(1)))
	m.Equal([]string{"early"}, m.due(at(2), at(1)), "at that very time")
	m.Equal([]string{"early", "open"}, m.due(at(2), at(2)), "ties by trace")
	m.Equal([]string{"early", "ended"}, m.due(at(3), at(1)), "oldest first")
	m.Equal([]string{"early", "open", "ended"}, m.due(at(3), at(2)))
	m.record(episode("open", at(0)))
	m.Equal([]string{"early", "open"}, m.due(at(2), at(1)), "what is late for an episode does not wait for a root")
	first, err := m.DueTraces(m.ctx(), store.DueTraces{EndedBefore: at(3), SilentBefore: at(3), Limit: 2})
	m.NoError(err)
	m.Equal([]string{"early", "open"}, first)
}

// holdWithin gives the indexes of the spans that there was no room for.
func (m *tenant) holdWithin(room store.TraceRoom, when time.Time, spans ...store.HeldSpan) []int {
	left, err := m.HoldSpans(m.ctx(), spans, when, room)
	m.NoError(err)
	return left
}

func (m *tenant) hold(when time.Time, spans ...store.HeldSpan) {
	m.Empty(m.holdWithin(much, when, spans...))
}

func (m *tenant) heldOf(trace string) []store.HeldSpan {
	spans, err := m.HeldSpans(m.ctx(), trace, much)
	m.NoError(err)
	return spans
}

func (m *tenant) due(ended, silent time.Time) []string {
	traces, err := m.DueTraces(m.ctx(), store.DueTraces{EndedBefore: ended, SilentBefore: silent, Limit: 10})
	m.NoError(err)
	return traces
}

// sized is a span whose JSON has a number of bytes.
func sized(trace, id, parent string, bytes int) store.HeldSpan {
	h := held(trace, id, parent)
	for h.Span.Name = ""; ; h.Span.Name = strings.Repeat("x", len(h.Span.Name)+bytes-size(h)) {
		if size(h) >= bytes {
			return h
		}
	}
}

func size(h store.HeldSpan) int {
	data, _ := memory.JSONOf(h)
	return len(data)
}

func heldWithinRoom(m *tenant) {
	room := store.TraceRoom{Spans: 8, Bytes: 8000}
	m.Equal([]int{2, 4}, m.holdWithin(room, at(0), sized("t", "a", "r", 4000), sized("t", "b", "r", 3000), sized("t", "c", "r", 1001),
		sized("t", "d", "r", 1000), sized("t", "e", "r", 600), sized("other", "e", "r", 600)))
	m.Len(m.heldOf("t"), 3)
	run := sized("t", "run", "r", 450)
	run.Span.Kind = memory.SpanAgent
	m.Equal([]int{2}, m.holdWithin(room, at(0), run, sized("t", "r", "", 500), sized("t", "s", "", 500)), "an eighth more says how it ended")
	m.Len(m.heldOf("t"), 5)
	for i := range 4 {
		m.Equal([]int{1}[:i/3], append([]int{}, m.holdWithin(store.TraceRoom{Spans: 4, Bytes: 8000}, at(0), held("few", fmt.Sprint(i), "r"), held("few", fmt.Sprint(i+1), "r"))...))
	}
}

func heldBesideAnEpisode(m *tenant) {
	draft := episode("t", at(0))
	draft.Events = []memory.Event{
		{Type: "x", Data: memory.JSON(`"` + strings.Repeat("x", 2998) + `"`), At: at(0)}, {Sequence: 1, Type: "x", Data: memory.JSON(`"y"`), At: at(0)},
	}
	m.record(draft)
	room := store.TraceRoom{Spans: 5, Bytes: 4003}
	m.Empty(m.holdWithin(room, at(0), sized("t", "a", "r", 1000)))
	m.Equal([]int{1}, m.holdWithin(room, at(0), sized("t", "a", "r", 1000), sized("t", "b", "r", 600)))
	m.Len(m.heldOf("t"), 1)
	m.Equal([]int{3}, m.holdWithin(store.TraceRoom{Spans: 5, Bytes: 9000}, at(0),
		held("t", "b", "r"), held("t", "b", "r"), held("t", "c", "r"), held("t", "d", "r")))
}

func heldInParts(m *tenant) {
	m.hold(at(0), sized("t", "b", "r", 1000), sized("t", "r", "", 3000), sized("t", "c", "r", 1000))
	for most, want := range map[store.TraceRoom]string{
		{Spans: 9, Bytes: 1}: "r", {Spans: 9, Bytes: 3999}: "r", {Spans: 9, Bytes: 4000}: "rb", {Spans: 9, Bytes: 5000}: "rbc", {Spans: 2, Bytes: 5000}: "rb",
	} {
		spans, err := m.HeldSpans(m.ctx(), "t", most)
		m.NoError(err)
		ids := ""
		for _, h := range spans {
			ids += h.Span.ID
		}
		m.Equal(want, ids, most)
	}
}
