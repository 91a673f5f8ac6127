package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
)

// much is room for all that a test holds.
var much = store.TraceRoom{Spans: 1000, Bytes: 1 << 20}

// held is a span of a trace; without a parent it is the root.
func held(trace, id, parent string) store.HeldSpan {
	return store.HeldSpan{
		Trace: trace,
		Span: capture.Span{
			ID: id, Parent: parent, Kind: capture.SpanTool, Name: "look <up>", Given: memory.JSON(`{"a":1}`), Said: []string{"ü"}, InformedBy: []string{"told"},
			StartedAt: at(0).Add(123 * time.Nanosecond), EndedAt: at(1),
		},
		Receipt: memory.Receipt{TokensBefore: 2, TokensAfter: 1, Redactions: []memory.Redaction{{Kind: "private", Count: 1}}},
	}
}

// backlog is what waits, without what a store makes files of.
func (m *tenant) backlog() store.Backlog {
	m.t.Helper()
	all, err := m.Backlog(m.ctx())
	m.NoError(err)
	all.Compactions = 0
	return all
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
	s.run(t, "what waits is counted, with the first of what is held", func(m *tenant) {
		m.Equal(store.Backlog{}, m.backlog())
		m.hold(at(5), held("t", "a", ""))
		m.hold(at(3), held("t", "b", "a"), held("other", "a", ""))
		m.Equal(store.Backlog{Traces: 2, Oldest: new(at(3))}, m.backlog())
		m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"b"}))
		m.NoError(m.ReleaseSpans(m.ctx(), "other", []string{"a"}))
		m.Equal(store.Backlog{Traces: 1, Oldest: new(at(5))}, m.backlog())
		m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"a"}))
		m.Equal(store.Backlog{}, m.backlog())
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
		m.Equal(store.Backlog{}, m.backlog(), "where nothing was written")
		m.hold(at(0), held("t", "a", ""))
		other.Empty(other.heldOf("t"))
		other.Empty(other.due(at(9), at(9)))
		m.Nil(m.find("t", 0, nil))
	})
	s.run(t, "with an episode goes what is held of the trace of its key", func(m *tenant) {
		m.record(episode("t", at(0)))
		m.hold(at(0), held("t", "a", ""), held("other", "a", ""))
		m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "t"))
		m.Empty(m.heldOf("t"))
		m.Len(m.heldOf("other"), 1)
	})
	s.run(t, "the episode of a trace comes with its whole log and its hash", traceEpisode)
	s.run(t, "the episode of a trace is of one moment, whoever amends it", traceEpisodeOfOneMoment)
	s.run(t, "what fails is put off, by itself", putOffTraces)
	s.run(t, "the note of a failure goes with the last span", notesOfFailures)
	s.run(t, "a trace is dropped with all that is held", func(m *tenant) {
		m.hold(at(0), held("t", "a", ""), held("t", "b", "a"), held("other", "a", ""))
		m.fail("t", 1, at(9))
		for _, want := range []int{2, 0} {
			spans, err := store.Count(m.ctx(), m, store.SpansOf{Trace: "t"})
			m.NoError(err)
			m.Equal(want, spans)
			spans, err = m.Delete(m.ctx(), store.KindSpan, []string{"t"})
			m.NoError(err)
			m.Equal(want, spans)
		}
		m.Empty(m.heldOf("t"))
		m.Len(m.heldOf("other"), 1)
		m.hold(at(0), held("t", "a", ""))
		m.Equal([]string{"other", "t"}, m.due(at(0), at(0)), "nothing is left of its failure")
	})
	t.Run("what fails again and again is found, and rebuilding lets it be tried at once", failuresAreFound(s))
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
	first, err := tracesDue(m.ctx(), m, store.DueTraces{EndedBefore: at(3), SilentBefore: at(3), SetBack: at(60)}, 2)
	m.NoError(err)
	m.Equal([]store.DueTrace{{Trace: "early"}, {Trace: "open"}}, first)
	m.hold(at(60), held("ahead", "a", ""))
	m.Empty(m.due(at(0), at(0)))
	m.hold(at(61), held("of a clock that was set back", "a", ""))
	m.Equal([]string{"of a clock that was set back"}, m.due(at(0), at(0)))
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
	spans, err := heldSpans(m.ctx(), m, trace, much)
	m.NoError(err)
	return spans
}

func (m *tenant) due(ended, silent time.Time) []string {
	due, err := tracesDue(m.ctx(), m, store.DueTraces{EndedBefore: ended, SilentBefore: silent, SetBack: at(60)}, 10)
	m.NoError(err)
	traces := []string{}
	for _, one := range due {
		m.Zero(one.Failures)
		traces = append(traces, one.Trace)
	}
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
	run.Span.Kind = capture.SpanAgent
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
		spans, err := heldSpans(m.ctx(), m, "t", most)
		m.NoError(err)
		ids := ""
		for _, h := range spans {
			ids += h.Span.ID
		}
		m.Equal(want, ids, most)
	}
}

func (m *tenant) fail(trace string, failures int, retry time.Time) {
	m.NoError(fault(store.Record(m.ctx(), m, []store.TraceFailure{{Trace: trace, Failures: failures, RetryAt: retry, Reason: "it is too <large>"}})))
}

func (m *tenant) dueAgain(retry time.Time) []store.DueTrace {
	due, err := tracesDue(m.ctx(), m, store.DueTraces{EndedBefore: at(9), SilentBefore: at(9), RetryBefore: retry, SetBack: at(60)}, 10)
	m.NoError(err)
	return due
}

func putOffTraces(m *tenant) {
	m.hold(at(0), held("t", "a", ""))
	m.hold(at(1), held("u", "a", ""))
	m.fail("t", 1, at(5))
	m.fail("unknown", 1, at(0))
	m.Equal([]store.DueTrace{{Trace: "u"}}, m.dueAgain(at(4)), "others are not kept waiting")
	m.Equal([]store.DueTrace{{Trace: "t", Failures: 1}, {Trace: "u"}}, m.dueAgain(at(5)), "at that very time")
	m.fail("t", 2, at(7))
	m.hold(at(2), held("t", "b", "a"))
	m.Equal([]store.DueTrace{{Trace: "u"}}, m.dueAgain(at(6)), "also when more arrives")
	m.Equal([]store.DueTrace{{Trace: "u"}, {Trace: "t", Failures: 2}}, m.dueAgain(at(7)))
}

func notesOfFailures(m *tenant) {
	m.record(episode("gone", at(0)))
	for _, trace := range []string{"t", "gone"} {
		m.hold(at(0), held(trace, "a", ""), held(trace, "b", "a"))
		m.fail(trace, 1, at(5))
	}
	m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"a"}))
	m.Empty(m.dueAgain(at(4)))
	m.NoError(m.ReleaseSpans(m.ctx(), "t", []string{"b"}))
	m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "gone"))
	m.hold(at(0), held("t", "a", ""), held("gone", "a", ""))
	m.Equal([]store.DueTrace{{Trace: "gone"}, {Trace: "t"}}, m.dueAgain(at(0)))
}

func failuresAreFound(s suite) func(*testing.T) {
	return func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.hold(at(0), held("t", "a", ""), held("u", "a", ""))
		m.fail("u", store.ManyFailures-1, at(9))
		requireNoFault(m, backend, id)
		m.fail("t", store.ManyFailures, at(9))
		found := 0
		findings, err := backend.Examine(m.ctx())
		m.NoError(err)
		for _, f := range findings {
			if f.Fault == "" || f.Tenant != id {
				continue
			}
			found++
			m.Equal("traces", f.Part)
			m.Contains(f.Fault, "t (3 times: it is too <large>)")
			m.NotContains(f.Fault, "u (")
		}
		m.Equal(1, found)
		m.NoError(m.Rebuild(m.ctx(), nil))
		m.Equal([]store.DueTrace{{Trace: "t"}, {Trace: "u"}}, m.dueAgain(at(0)))
		requireNoFault(m, backend, id)
	}
}
