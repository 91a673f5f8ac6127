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
	found    []string
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

// Found are the traces that name the agent, or would become an episode of it.
func (a *AgentTraces) Found() []string {
	a.decide()
	return a.found
}

func (a *AgentTraces) decide() {
	if capture.SpansName(a.outlines, a.agent) || !a.recorded && capture.AgentOfTrace(a.outlines) == a.agent {
		a.found = append(a.found, a.trace)
	}
	a.outlines = a.outlines[:0]
}
