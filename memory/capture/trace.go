package capture

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"mneme/memory"
)

// EpisodeFromSpans reads an episode from the spans of a trace, which must come from MergeSpans: its agent,
// session and task type as far as they say, its observation, thoughts, actions, result, outcome, start, end
// and segments, and their labels as its metadata; the rest is the caller's.
//
// The run is the outermost span of an agent or workflow; where several are side by side, it begins with
// the first and ends as the one that ended last; without any it is the root. What a run was given is the
// observation, else what the first model was asked. Models' words are thoughts. Tools are actions, and so
// are further agents, and the calls of models that no tool's span carries out. The run failed where its
// span says so; the faults of steps on the way are part of their results. While the run's span is missing
// the outcome is UNKNOWN.
func EpisodeFromSpans(spans []Span) memory.Episode {
	t := newTrace(spans)
	episode := EpisodeFromEvents(t.events())
	episode.Observation = t.observation()
	episode.AgentKey = t.agent()
	if session := t.firstSaid(func(s *Span) string { return s.Session }); session != "" {
		episode.SessionKey = &session
	}
	if taskType := t.firstSaid(func(s *Span) string { return s.TaskType }); taskType != "" {
		episode.TaskType = &taskType
	}
	episode.Metadata = t.labels()
	episode.StartedAt = spans[0].StartedAt.UTC().Truncate(time.Millisecond)
	return episode
}

// trace is the spans of a run with the relations between them.
type trace struct {
	spans []Span
	byID  map[string]*Span
	// first begins the run and last ends it; nil while they are missing.
	first, last *Span
	// unnamed are the spans of tools that do not say which call they carry out.
	unnamed []*Span
	// called are the calls that a tool's span carries out; answers what models were told of calls.
	// tools are the names of the tools that have spans.
	called, tools map[string]bool
	answers       map[string]memory.JSON
	// result is what came of the run, in words.
	result string
}

func newTrace(spans []Span) *trace {
	t := &trace{spans: spans, byID: make(map[string]*Span, len(spans)), called: map[string]bool{}, tools: map[string]bool{}, answers: map[string]memory.JSON{}}
	for i := range spans {
		t.byID[spans[i].ID] = &spans[i]
	}
	for i := range spans {
		t.note(&spans[i])
	}
	if t.first == nil {
		if root := slices.IndexFunc(spans, func(s Span) bool { return s.Ends() }); root >= 0 {
			t.first, t.last = &spans[root], &spans[root]
		}
	}
	t.result = t.resultOf()
	return t
}

func (t *trace) note(span *Span) {
	if span.Kind == SpanTool {
		t.tools[span.Name] = true
		if span.CallID != "" {
			t.called[span.CallID] = true
		} else if !t.repeatsParent(span) {
			t.unnamed = append(t.unnamed, span)
		}
	}
	for _, answer := range span.Answers {
		if answer.ID != "" {
			t.answers[answer.ID] = answer.Result
		}
	}
	if !span.IsRun() || t.within(span, (*Span).IsRun) {
		return
	}
	if t.first == nil {
		t.first = span
	}
	if t.last == nil || !span.EndedAt.Before(t.last.EndedAt) {
		t.last = span
	}
}

// within says whether a span is, at any depth, inside of one that is as asked for.
func (t *trace) within(span *Span, asked func(*Span) bool) bool {
	// A trace of n spans has no longer way to its root; parents that go in a circle end here too.
	for range t.spans {
		parent, known := t.byID[span.Parent]
		if !known {
			return false
		}
		if asked(parent) {
			return true
		}
		span = parent
	}
	return false
}

// observation is the task, and where the program sends no contents, what it calls the run.
func (t *trace) observation() string {
	if task := t.task(); task != "" {
		return task
	}
	about := &t.spans[0]
	if t.first != nil {
		about = t.first
	}
	return unknownSituation + ": " + about.Name
}

// task is what the run was about, in words.
func (t *trace) task() string {
	if t.first != nil {
		if text := memory.JSONText(t.first.Given); text != "" {
			return text
		}
	}
	for i := range t.spans {
		if span := &t.spans[i]; span.IsRun() || span.Kind == SpanModel {
			if text := memory.JSONText(span.Given); text != "" {
				return text
			}
		}
	}
	return ""
}

// resultOf is what the run gave, else the last words of a model; nothing where it failed, or is not known to
// have ended.
func (t *trace) resultOf() string {
	if t.last == nil || t.last.Error != "" {
		return ""
	}
	if text := memory.JSONText(t.last.Gave); text != "" {
		return text
	}
	var latest *Span
	for i := range t.spans {
		span := &t.spans[i]
		if span.Kind == SpanModel && len(span.Said) > 0 && (latest == nil || !span.EndedAt.Before(latest.EndedAt)) {
			latest = span
		}
	}
	if latest == nil {
		return ""
	}
	return latest.Said[len(latest.Said)-1]
}

// unknownAgent runs what no span says who runs.
const unknownAgent = "unknown"

// AgentOfTrace is the agent whose episode the spans of a trace make, as far as they are there; empty where
// they say nothing of a run.
func AgentOfTrace(spans []Span) string {
	relevant := RelevantSpans(MergeSpans(nil, spans))
	if len(relevant) == 0 {
		return ""
	}
	return newTrace(relevant).agent()
}

func (t *trace) agent() string {
	key := cmp.Or(
		t.firstSaid(func(s *Span) string { return s.Agent }), t.firstSaid(func(s *Span) string { return s.Labels[LabelService] }))
	if memory.CheckKey("agentId", key) != nil {
		return unknownAgent
	}
	return key
}

// firstSaid is what the run's span says, else the first span that says anything.
func (t *trace) firstSaid(what func(*Span) string) string {
	if t.first != nil {
		if said := what(t.first); said != "" {
			return said
		}
	}
	for i := range t.spans {
		if said := what(&t.spans[i]); said != "" {
			return said
		}
	}
	return ""
}

// labels are those of all spans, of each name the first that was given.
func (t *trace) labels() memory.JSON {
	labels := map[string]string{}
	for i := range t.spans {
		for name, value := range t.spans[i].Labels {
			if _, given := labels[name]; !given {
				labels[name] = value
			}
		}
	}
	if len(labels) == 0 {
		return nil
	}
	text, _ := memory.JSONOf(labels) // texts by text
	return text
}

// moment is an entry of the run's log with the exact time it is sorted by.
type moment struct {
	memory.Event
	at time.Time
}

// events tell the run in the words of a run's log; see EpisodeFromEvents.
func (t *trace) events() []memory.Event {
	t.matchCalls()
	moments := []moment{momentOf(EventWorkflowStarted, t.spans[0].StartedAt, map[string]any{"args": t.observation()})}
	for i := range t.spans {
		span := &t.spans[i]
		switch {
		case span.Kind == SpanModel:
			moments = append(moments, t.answered(span)...)
		case span.Kind == SpanTool:
			if !t.repeatsParent(span) {
				moments = append(moments, stepMoment(span.EndedAt, cmp.Or(span.CallID, span.ID), span.Name, cameOf(span)))
			}
		case span.IsRun() && span != t.first:
			moments = append(moments, stepMoment(span.EndedAt, span.ID, "invoke_"+string(span.Kind)+" "+span.Name, cameOf(span)))
		}
	}
	if t.last != nil {
		moments = append(moments, t.end())
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return a.at.Compare(b.at) })
	return withoutEchoes(moments)
}

// answered tells what a model said and the calls it wanted that are not told by spans of their own.
func (t *trace) answered(span *Span) []moment {
	var moments []moment
	for _, said := range span.Said {
		if said != t.result {
			moments = append(moments, momentOf(EventAgentThought, span.EndedAt, map[string]any{"thought": said}))
		}
	}
	for _, call := range span.Calls {
		if call.ID != "" && t.called[call.ID] {
			continue
		}
		if call.ID != "" { // the same answer may be reported by several instrumentations
			t.called[call.ID] = true
		} else if t.tools[call.Name] {
			continue // a call without an ID is taken to be one of those
		}
		step := stepResult(call.Arguments, t.answers[call.ID])
		moments = append(moments, stepMoment(span.EndedAt, call.ID, call.Name, step))
	}
	return moments
}

// repeatsParent says whether a tool's span is the same call as the one around it, seen by another
// instrumentation: that of the framework and that of the protocol.
func (t *trace) repeatsParent(span *Span) bool {
	return t.within(span, func(outer *Span) bool {
		return outer.Kind == SpanTool && (outer.Name == span.Name || span.CallID != "" && outer.CallID == span.CallID)
	})
}

func (t *trace) end() moment {
	if t.last.Error != "" {
		return momentOf(EventWorkflowFailed, t.last.EndedAt, map[string]any{"error": t.last.Error})
	}
	return momentOf(EventWorkflowCompleted, t.last.EndedAt, map[string]any{"result": t.result})
}

// cameOf is what came of a step, with what it was given.
func cameOf(span *Span) map[string]any {
	step := stepResult(span.Given, span.Gave)
	if span.Error != "" {
		step["error"] = span.Error
	}
	return step
}

// stepResult holds what is known of the two.
func stepResult(given, gave memory.JSON) map[string]any {
	step := map[string]any{}
	if len(given) > 0 {
		step["arguments"] = given
	}
	if len(gave) > 0 {
		step["result"] = gave
	}
	return step
}

func stepMoment(at time.Time, id, name string, result map[string]any) moment {
	return momentOf(EventStepCompleted, at, map[string]any{"step_id": id, "step_name": name, "result": result})
}

func momentOf(kind string, at time.Time, data map[string]any) moment {
	text, err := json.Marshal(data)
	if err != nil {
		panic("memory: a span that is not JSON: " + err.Error()) // it was decoded from JSON
	}
	return moment{Event: memory.Event{Type: kind, Data: text, At: at.UTC().Truncate(time.Millisecond)}, at: at}
}

// withoutEchoes numbers the log, without thoughts that repeat the one before: a model's answer is often
// reported by the framework and by the client it uses.
func withoutEchoes(moments []moment) []memory.Event {
	events := make([]memory.Event, 0, len(moments))
	before := ""
	for _, m := range moments {
		if m.Type == EventAgentThought {
			if string(m.Data) == before {
				continue
			}
			before = string(m.Data)
		}
		m.Sequence = len(events)
		events = append(events, m.Event)
	}
	return events
}
