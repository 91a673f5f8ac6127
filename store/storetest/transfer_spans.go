package storetest

import (
	"errors"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
)

// forgottenSpansStayOut restores spans that were exported while they were held, after their agent was deleted.
func forgottenSpansStayOut(from, to *tenant) {
	named, served, theirs := held("named", "a", ""), held("served", "a", ""), held("theirs", "a", "")
	named.Span.Agent, named.Span.Labels = "walrus", map[string]string{capture.LabelService: "zoo"}
	served.Span.Labels = map[string]string{capture.LabelService: "walrus"}
	theirs.Span.Agent, theirs.Span.Labels = "ada", map[string]string{capture.LabelService: "walrus"}
	from.hold(at(0), held("episode", "a", ""), named, served, theirs, held("other", "a", ""))
	items := from.exported()[1:]
	to.record(episode("episode", at(0)).by("walrus"))
	to.deleteAgent("walrus", 1)

	forgotten := func(force bool) (traces []string) {
		for i, r := range to.restored(force, items...) {
			to.Empty(r.Key)
			to.False(r.Created)
			if errors.Is(r.Err, store.ErrForgotten) {
				traces = append(traces, items[i].(*store.SpanItem).Trace) //nolint:forcetypeassert // spans are all there is
			} else {
				to.NoError(r.Err)
			}
		}
		return traces
	}
	to.Equal([]string{"episode", "named", "served"}, forgotten(false))
	to.Equal([]string{"other", "theirs"}, to.due(at(9), at(9)))
	to.Empty(forgotten(true))
	to.Len(to.due(at(9), at(9)), 5)
	to.forgotten([]string{"agent:walrus", "episode:episode"}, false, false)
}

// said is a held span that names an agent and the program that it is of, where these are not empty.
func said(trace, id, parent, agent, service string) store.HeldSpan {
	h := held(trace, id, parent)
	h.Span.Agent = agent
	if service != "" {
		h.Span.Labels = map[string]string{capture.LabelService: service}
	}
	return h
}

// agentOfHeldSpans holds traces that are no episodes yet, and late spans of those that are.
func agentOfHeldSpans(m *tenant) {
	m.record(episode("of ada", at(0)).by("ada"), episode("of ada too", at(0)).by("ada"))
	gone := []store.HeldSpan{
		said("root", "a", "", "walrus", "zoo"), held("root", "b", "a"),
		held("inside", "a", ""), said("inside", "b", "a", "walrus", ""),
		said("served", "a", "", "", "walrus"), held("served", "b", "a"),
	}
	m.hold(at(0), gone...)
	m.hold(at(0), said("of ada", "a", "b", "walrus", ""), held("of ada", "b", ""), said("of ada too", "a", "", "", "walrus"))
	m.hold(at(0), said("named", "a", "", "ada", "walrus"), said("other", "a", "", "Walrus", ""), held("silent", "a", ""))
	m.deleteAgent("walrus", 0)
	m.Equal([]string{"named", "of ada too", "other", "silent"}, m.due(at(9), at(9)))
	m.forgotten([]string{"agent:walrus", "episode:root", "episode:inside", "episode:served", "episode:of ada", "episode:named", "episode:silent"},
		true, true, true, true, false, false, false)
	_, err := m.Delete(m.ctx(), memory.KindAgent, []string{"walrus"})
	m.ErrorIs(err, store.ErrNotFound)
	m.deleteAgent("unknown", 0)
	m.Equal([]string{"named", "of ada too", "other"}, m.due(at(9), at(9)), "what names nobody is the unknown agent's")
	m.deleteAgent("ada", 2)
	m.Equal([]string{"other"}, m.due(at(9), at(9)))
}
