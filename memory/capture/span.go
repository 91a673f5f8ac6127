package capture

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"mneme/memory"
)

// SpanKind says what a span of an instrumented program was about.
type SpanKind string

// The kinds of span. Only the first three make an episode; a step alone does not.
const (
	SpanAgent    SpanKind = "agent"    // an agent was asked to do something
	SpanWorkflow SpanKind = "workflow" // a process of several agents or steps
	SpanModel    SpanKind = "model"    // a model was asked
	SpanTool     SpanKind = "tool"     // a tool ran, or something was looked up
	SpanOther    SpanKind = "other"    // anything else, such as the request that the rest answered
)

// Valid says whether the word is one of the closed set.
func (k SpanKind) Valid() bool {
	return slices.Contains([]SpanKind{SpanAgent, SpanWorkflow, SpanModel, SpanTool, SpanOther}, k)
}

// Span is one operation of a traced run, as far as an episode can be made of it.
type Span struct {
	// ID is unique in its trace; Parent is empty for the root.
	ID     string   `json:"id"`
	Parent string   `json:"parent,omitempty"`
	Kind   SpanKind `json:"kind"`
	// Name is that of the agent, workflow, model or tool, else what the program called the operation.
	Name string `json:"name"`
	// Agent, Session and TaskType are what the span says of the run it belongs to; empty where it does not.
	Agent    string `json:"agent,omitempty"`
	Session  string `json:"session,omitempty"`
	TaskType string `json:"taskType,omitempty"`
	User     string `json:"user,omitempty"` // for whom it is
	// InformedBy are the keys of the episodes that its agent went by.
	InformedBy []string `json:"informedBy,omitempty"`
	// Given is what the operation got: the task in words, a tool's arguments. Gave is what came of it.
	Given memory.JSON `json:"given,omitempty"`
	Gave  memory.JSON `json:"gave,omitempty"`
	// Said is what a model said and thought, in order; Calls are the tools it wanted, and Answers what it
	// was told of them. Those of a run count where its models say nothing.
	Said    []string   `json:"said,omitempty"`
	Calls   []SpanCall `json:"calls,omitempty"`
	Answers []SpanCall `json:"answers,omitempty"`
	// CallID names the call of a model that a tool's span carries out.
	CallID string `json:"callId,omitempty"`
	// Instructions are what the agent or model was told to be.
	Instructions string `json:"instructions,omitempty"`
	// Error is why it failed; empty where it did not.
	Error string `json:"error,omitempty"`
	// Stops says that the step, a guardrail, did not let the run go on.
	Stops bool       `json:"stops,omitempty"`
	Usage *SpanUsage `json:"usage,omitempty"` // of a model
	// Labels are further facts, such as the model's provider.
	Labels    map[string]string `json:"labels,omitempty"`
	StartedAt time.Time         `json:"startedAt"`
	EndedAt   time.Time         `json:"endedAt"`
}

// SpanUsage is how many tokens a model read and wrote, and what that cost in US dollars; 0 where nobody said.
type SpanUsage struct {
	Input  int     `json:"input"`
	Output int     `json:"output"`
	Cost   float64 `json:"cost,omitempty"`
}

// SpanCall is a tool that a model wanted to be called, or what it was told of such a call: then with the call's name
// and arguments where they were told.
type SpanCall struct {
	ID        string      `json:"id,omitempty"`
	Name      string      `json:"name,omitempty"`
	Arguments memory.JSON `json:"arguments,omitempty"`
	Result    memory.JSON `json:"result,omitempty"`
}

// LabelService names the program that a span is of; it stands for the agent where no span names one.
const LabelService = "service.name"

// noSpan is how some say that there is no span.
const noSpan = "0000000000000000"

// spanEvent ends the type of the log's entry for a span: agent_span, tool_span.
const spanEvent = "_span"

// Check says what is wrong with the id, the kind and the times of a span that was kept.
func (s *Span) Check(field string) error {
	switch {
	case s.ID == "" || s.ID == noSpan:
		return memory.Invalid(field+".id", "must not be empty, nor zeros alone")
	case !s.Kind.Valid():
		return memory.Invalid(field+".kind", "is no kind of span")
	case s.EndedAt.Before(s.StartedAt):
		return memory.Invalid(field+".endedAt", "is before the span's start")
	}
	return cmp.Or(memory.CheckTime(field+".startedAt", s.StartedAt), memory.CheckTime(field+".endedAt", s.EndedAt))
}

// SpanLog is the log of an episode that was made of spans: an entry for each, in order.
func SpanLog(spans []Span) ([]memory.Event, error) {
	events := make([]memory.Event, len(spans))
	for i, span := range spans {
		data, err := memory.JSONOf(span)
		if err != nil {
			return nil, err
		}
		events[i] = memory.Event{
			Sequence: i, Type: string(span.Kind) + spanEvent, Data: data, At: span.StartedAt.UTC().Truncate(time.Millisecond),
		}
	}
	return events, nil
}

// SpansOfLog gives the spans of a log back; ok is false where it is not the log of an episode made of spans.
func SpansOfLog(events []memory.Event) (spans []Span, ok bool) {
	spans = make([]Span, len(events))
	for i, event := range events {
		if err := json.Unmarshal(event.Data, &spans[i]); err != nil || event.Type != string(spans[i].Kind)+spanEvent {
			return nil, false
		}
	}
	return spans, len(spans) > 0
}

// MergeSpans is the spans of both, in the order in which they started (those of one instant by ID). Of
// spans with the same ID, which are the same span sent twice, the first stays.
func MergeSpans(known, more []Span) []Span {
	merged := make([]Span, 0, len(known)+len(more))
	seen := make(map[string]bool, len(known)+len(more))
	for _, span := range slices.Concat(known, more) {
		if !seen[span.ID] {
			seen[span.ID] = true
			merged = append(merged, span)
		}
	}
	slices.SortFunc(merged, func(a, b Span) int {
		return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.ID, b.ID))
	})
	return merged
}

// Ends says whether the span ends its trace: it is the root, which a program sends when all is done.
func (s *Span) Ends() bool { return s.Parent == "" }

// Names is the agent that the span names: Agent, else the program that it is of; empty where it names none.
func (s *Span) Names() string { return cmp.Or(s.Agent, s.Labels[LabelService]) }

// Size is about how many bytes what went in and came out has.
func (s *Span) Size() int {
	size := len(s.Given) + len(s.Gave) + len(s.Instructions) + len(s.Error)
	for _, text := range slices.Concat(s.Said, s.InformedBy) {
		size += len(text)
	}
	for _, call := range slices.Concat(s.Calls, s.Answers) {
		size += len(call.ID) + len(call.Name) + len(call.Arguments) + len(call.Result)
	}
	return size
}

// Outline is the span without what went in and came out.
func (s *Span) Outline() Span {
	return Span{
		ID: s.ID, Parent: s.Parent, Kind: s.Kind, Name: s.Name, Agent: s.Agent, Labels: s.Labels, StartedAt: s.StartedAt, EndedAt: s.EndedAt,
	}
}

// SpansName says whether any of the spans says that it is an agent's.
func SpansName(spans []Span, agent string) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.Agent == agent })
}

// IsRun says whether the span is a run of its own: an agent's, or a workflow's.
func (s *Span) IsRun() bool { return s.Kind == SpanAgent || s.Kind == SpanWorkflow }

// RelevantSpans leaves out what says nothing of a run: requests, queries and the like, unless they are the
// root or stand between spans that do.
func RelevantSpans(spans []Span) []Span {
	parents := make(map[string]string, len(spans))
	for i := range spans {
		parents[spans[i].ID] = spans[i].Parent
	}
	relevant := make(map[string]bool, len(spans))
	for i := range spans {
		if spans[i].Kind == SpanOther && !spans[i].Ends() {
			continue
		}
		for id, known := spans[i].ID, true; known && !relevant[id]; _, known = parents[id] {
			relevant[id] = true
			id = parents[id]
		}
	}
	return slices.DeleteFunc(slices.Clone(spans), func(s Span) bool { return !relevant[s.ID] })
}

// MakesEpisode says whether there is anything in a trace to remember: an agent's run, or at least a model's answer.
func MakesEpisode(spans []Span) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.IsRun() || s.Kind == SpanModel })
}

// TraceWaits say when a trace counts as complete.
type TraceWaits struct {
	// Quiet is how long nothing more has arrived of a trace whose root has.
	Quiet time.Duration
	// Silence is the same for a trace without its root, which may never be sent, or be under way.
	Silence time.Duration
}

// DefaultTraceWaits fit senders that send what they gathered every five seconds, as OpenTelemetry's SDKs do.
func DefaultTraceWaits() TraceWaits {
	return TraceWaits{Quiet: 10 * time.Second, Silence: 5 * time.Minute}
}
