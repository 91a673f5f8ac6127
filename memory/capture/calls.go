package capture

import (
	"slices"
	"strings"
	"time"

	"mneme/memory"
)

// wanted is a call of a tool that a model wanted: when the model was asked, and when it had answered. Where several
// instrumentations report it, the first of each counts.
type wanted struct {
	*SpanCall
	asked, answered time.Time
}

// wantedCalls are those with IDs that no span names, in the order in which their models were asked.
func (t *trace) wantedCalls() []wanted {
	var calls []wanted
	at := map[string]int{}
	for i := range t.spans {
		span := &t.spans[i]
		for j := range span.Calls {
			call := &span.Calls[j]
			known, again := at[call.ID]
			switch {
			case call.ID == "" || t.called[call.ID] || span.IsRun() && t.spoke[span]:
			case !again:
				at[call.ID] = len(calls)
				calls = append(calls, wanted{call, span.StartedAt, span.EndedAt})
			case span.EndedAt.Before(calls[known].answered):
				calls[known].answered = span.EndedAt
			}
		}
	}
	return calls
}

// matchCalls notes the calls that are carried out by spans which do not say so, as OpenInference's of LangChain's
// tools: each such span is that of the call with its arguments, else of one that was wanted by when it began.
func (t *trace) matchCalls() {
	if len(t.unnamed) == 0 {
		return
	}
	queues := map[string][]*Span{} // by their names, and by those with their arguments
	for _, span := range t.unnamed {
		queues[span.Name] = append(queues[span.Name], span)
		if len(span.Given) > 0 {
			key := likeness(span.Name, span.Given)
			queues[key] = append(queues[key], span)
		}
	}
	taken := map[*Span]bool{}
	// Calls must come in the order of their instants, and spans in that of their starts: what is too early for one is so
	// for those behind it.
	match := func(call wanted, key string, since time.Time) bool {
		queue := queues[key]
		for len(queue) > 0 && (taken[queue[0]] || queue[0].StartedAt.Before(since.Truncate(time.Millisecond))) { // some clocks count no less
			queue = queue[1:]
		}
		queues[key] = queue
		if len(queue) == 0 {
			return false
		}
		taken[queue[0]], t.called[call.ID] = true, true
		return true
	}
	rest := slices.DeleteFunc(t.wantedCalls(), func(call wanted) bool { return match(call, likeness(call.Name, call.Arguments), call.asked) })
	slices.SortStableFunc(rest, func(a, b wanted) int { return a.answered.Compare(b.answered) })
	for _, call := range rest {
		match(call, call.Name, call.answered)
	}
}

// unmarked leaves out what differs where the same is written as JSON and by Python.
var unmarked = strings.NewReplacer(`"`, "", `'`, "", `\`, "", " ", "", "\n", "", "\t", "")

// likeness is the same of a call and of what carries it out.
func likeness(name string, arguments memory.JSON) string {
	return name + "\n" + unmarked.Replace(memory.JSONText(arguments))
}
