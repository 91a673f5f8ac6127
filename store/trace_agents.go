package store

import (
	"bytes"

	"mneme/memory"
	"mneme/memory/capture"
)

// AgentTraces finds, of all traces that spans are held of, those that name an agent. It is for stores.
type AgentTraces struct {
	agent    string
	trace    string
	recorded bool
	outlines []capture.Span
	waiting  []string
	late     []string
}

// NewAgentTraces looks for an agent by its key.
func NewAgentTraces(agent string) *AgentTraces { return &AgentTraces{agent: agent} }

// Add looks at a held span; spans come trace by trace. Recorded says that the trace is an episode already.
func (a *AgentTraces) Add(held *HeldSpan, recorded bool) {
	if held.Trace != a.trace {
		a.decide()
		a.trace, a.recorded = held.Trace, recorded
	}
	a.outlines = append(a.outlines, held.Span.Outline())
}

// AddUnread looks at a held span that cannot be read: it names the agent where one of its texts is the name, or its
// data breaks off after it.
func (a *AgentTraces) AddUnread(trace string, data []byte, recorded bool) {
	held := HeldSpan{Trace: trace}
	name, err := memory.JSONOf(a.agent)
	if err == nil && (bytes.Contains(data, name) || bytes.HasSuffix(data, name[:len(name)-1])) {
		held.Span.Agent = a.agent
	}
	a.Add(&held, recorded)
}

// Found are the traces that name the agent: waiting are no episodes yet, late are those that are.
func (a *AgentTraces) Found() (waiting, late []string) {
	a.decide()
	return a.waiting, a.late
}

func (a *AgentTraces) decide() {
	switch {
	case a.recorded && capture.SpansName(a.outlines, a.agent):
		a.late = append(a.late, a.trace)
	case !a.recorded && (capture.SpansName(a.outlines, a.agent) || capture.AgentOfTrace(a.outlines) == a.agent):
		a.waiting = append(a.waiting, a.trace)
	}
	a.outlines = a.outlines[:0]
}
