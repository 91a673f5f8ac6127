package capture

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"mneme/memory"
)

// EpisodeFromSpans reads an episode from the spans of a trace, which must come from MergeSpans: its agent,
// session and task type as far as they say, its observation, thoughts, actions, result, outcome, start, end
// and segments, and their labels as its metadata; the rest is the caller's.
//
// The run is the outermost span of an agent or workflow; where several are side by side, it begins with the first and
// ends as the one that ended last, as far as they were asked the same; without any it is the root. What a run was given
// is the observation, else what the first model was asked. Models' words are thoughts, or a run's where its models say
// nothing. Tools are actions, and so are further agents and turns, and the calls of models that no tool's span carries
// out. The run failed where its span says so, or a guardrail stopped it; the faults of steps on the way are part of
// their results. While the run's span is missing the outcome is UNKNOWN.
func EpisodeFromSpans(spans []Span) memory.Episode {
	t := newTrace(spans)
	episode := EpisodeFromEvents(t.events())
	episode.Observation = t.observation()
	episode.AgentKey = t.agentKey
	if session := t.firstSaid(func(s *Span) string { return s.Session }); session != "" {
		episode.SessionKey = &session
	}
	if user := t.firstSaid(func(s *Span) string { return s.User }); user != "" {
		episode.UserID = &user
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
	// unnamed are the spans of tools that do not say which call they carry out, or not as models know it.
	unnamed []*Span
	// called are the calls that a tool's span carries out; wants and answers are what models wanted and were told of
	// calls. tools are the names of the tools that have spans.
	called, tools  map[string]bool
	wants, answers map[string]memory.JSON
	// inner are the runs right within a run, those of nil the outermost; asks are the runs that ask models, and spoke
	// those whose models say something. further are the spans of turns after the first.
	inner                map[*Span][]*Span
	asks, spoke, further map[*Span]bool
	// agentKey is whose run it is, fault why it did not succeed, and result what came of it, in words.
	agentKey, fault, result string
}

func newTrace(spans []Span) *trace {
	t := &trace{
		spans: spans, byID: make(map[string]*Span, len(spans)), called: map[string]bool{}, tools: map[string]bool{},
		wants: map[string]memory.JSON{}, answers: map[string]memory.JSON{}, inner: map[*Span][]*Span{}, asks: map[*Span]bool{}, spoke: map[*Span]bool{},
	}
	for i := range spans {
		t.byID[spans[i].ID] = &spans[i]
	}
	for i := range spans {
		t.note(&spans[i])
	}
	for i := range spans {
		if span := &spans[i]; span.Kind == SpanTool && !t.isWanted(span.CallID) && !t.repeatsParent(span) {
			t.unnamed = append(t.unnamed, span)
		}
	}
	t.further = t.turnsOf(t.inner[nil])
	t.first, t.last = t.endsOf(t.inner[nil])
	t.agentKey, t.fault = t.agent(), t.faultOf()
	t.result = t.resultOf()
	return t
}

func (t *trace) note(span *Span) {
	if span.Kind == SpanTool {
		t.tools[span.Name] = true
		if span.CallID != "" {
			t.called[span.CallID] = true
		}
	}
	for _, call := range span.Calls {
		if !t.isWanted(call.ID) && call.ID != "" {
			t.wants[call.ID] = call.Arguments
		}
	}
	for _, answer := range span.Answers {
		if answer.ID == "" {
			continue
		}
		t.answers[answer.ID] = answer.Result
		if len(t.wants[answer.ID]) == 0 {
			t.wants[answer.ID] = answer.Arguments
		}
	}
	switch {
	case span.IsRun():
		run := t.around(span)
		t.inner[run] = append(t.inner[run], span)
	case span.Kind == SpanModel:
		run := t.around(span)
		t.asks[run], t.spoke[run] = true, t.spoke[run] || len(span.Said)+len(span.Calls) > 0
	}
}

// isWanted says whether a model wants a call of that ID.
func (t *trace) isWanted(call string) bool {
	_, wanted := t.wants[call]
	return wanted
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

// around is the nearest run that a span is in; nil where it is in none.
func (t *trace) around(span *Span) (run *Span) {
	t.within(span, func(outer *Span) bool {
		if outer.IsRun() {
			run = outer
		}
		return run != nil
	})
	return run
}

// observation is the task, and where the program sends no contents, what it calls the run.
func (t *trace) observation() string {
	if task := t.task(); task != "" {
		return task
	}
	about := t.spans[0].Name
	if t.first != nil {
		about = t.first.Name
	}
	if placeholders[about] {
		about = t.agentKey
	}
	return unknownSituation + ": " + about
}

// task is what the run was about: in words, else as the run was given it.
func (t *trace) task() string {
	if t.first != nil && inWords(t.first.Given) {
		return memory.JSONText(t.first.Given)
	}
	var given memory.JSON
	for i := range t.spans {
		span := &t.spans[i]
		switch {
		case !span.IsRun() && span.Kind != SpanModel:
		case inWords(span.Given):
			return memory.JSONText(span.Given)
		case len(given) == 0:
			given = span.Given
		}
	}
	return memory.JSONText(given)
}

// resultOf is what the run gave, else the last words of a model in its turn; nothing where it failed, or is not known
// to have ended.
func (t *trace) resultOf() string {
	if t.last == nil || t.fault != "" {
		return ""
	}
	if inWords(t.last.Gave) {
		return memory.JSONText(t.last.Gave)
	}
	var latest *Span
	for i := range t.spans {
		span := &t.spans[i]
		if span.Kind == SpanModel && len(span.Said) > 0 && !t.further[span] && (latest == nil || !span.EndedAt.Before(latest.EndedAt)) {
			latest = span
		}
	}
	if latest == nil {
		return memory.JSONText(t.last.Gave)
	}
	return latest.Said[len(latest.Said)-1]
}

// printed is an object as Python prints it, by its class and fields.
var printed = regexp.MustCompile(`^[A-Z]\w*\(\w+=`)

// inWords says whether what a span was given or gave is a text, and no object of the program.
func inWords(value memory.JSON) bool {
	return len(value) > 2 && value[0] == '"' && !printed.MatchString(memory.JSONText(value))
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
	return newTrace(relevant).agentKey
}

// placeholders are what libraries call agents and programs to which nobody gave a name.
var placeholders = map[string]bool{
	"OpenAI Agent": true, "Agent workflow": true, "LangGraph": true, "RunnableSequence": true, "AgentExecutor": true, "Strands Agents": true,
	"UnnamedAgent": true, "unknown_agent": true, "agent": true, "Agent": true, "unknown_service": true,
}

func (t *trace) agent() string {
	agents, programs := func(s *Span) string { return s.Agent }, func(s *Span) string { return s.Labels[LabelService] }
	named := func(what func(*Span) string) string {
		return t.firstSaid(func(s *Span) string {
			name := what(s)
			if program, _, _ := strings.Cut(name, ":"); placeholders[program] { // SDKs note the language behind unknown_service
				return ""
			}
			return name
		})
	}
	key := cmp.Or(named(agents), named(programs), t.firstSaid(agents), t.firstSaid(programs))
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

// events tell the run in the words of a run's log; see EpisodeFromEvents.
func (t *trace) events() []memory.Event {
	t.matchCalls()
	events := []memory.Event{eventOf(EventWorkflowStarted, t.spans[0].StartedAt, map[string]any{"args": t.observation()})}
	for i := range t.spans {
		span := &t.spans[i]
		switch {
		case span.Kind == SpanModel:
			events = append(events, t.answered(span)...)
		case span.Kind == SpanTool:
			if !t.repeatsParent(span) {
				events = append(events, stepOf(span.EndedAt, cmp.Or(span.CallID, span.ID), span.Name, t.cameOf(span)))
			}
		case span.IsRun():
			if !t.spoke[span] {
				events = append(events, t.answered(span)...)
			}
			if span != t.first && !t.isItself(span) {
				events = append(events, stepOf(span.EndedAt, span.ID, "invoke_"+string(span.Kind)+" "+span.Name, t.cameOf(span)))
			}
		}
	}
	switch {
	case t.last == nil:
	case t.fault != "":
		events = append(events, eventOf(EventWorkflowFailed, t.last.EndedAt, map[string]any{"error": t.fault}))
	default:
		events = append(events, eventOf(EventWorkflowCompleted, t.last.EndedAt, map[string]any{"result": t.result}))
	}
	slices.SortStableFunc(events, func(a, b memory.Event) int { return a.At.Compare(b.At) })
	return withoutEchoes(events)
}

// answered tells what a model said and the calls it wanted that are not told by spans of their own. Calls that are
// known by their answers alone were wanted before.
func (t *trace) answered(span *Span) []memory.Event {
	var events []memory.Event
	for _, answer := range span.Answers {
		if answer.Name != "" && answer.ID != "" && !t.called[answer.ID] && !t.tools[answer.Name] {
			t.called[answer.ID] = true
			events = append(events, stepOf(span.StartedAt, answer.ID, answer.Name, stepResult(answer.Arguments, answer.Result)))
		}
	}
	for _, said := range span.Said {
		if !isSame(said, t.result) && !(span.IsRun() && isSame(said, memory.JSONText(span.Gave))) {
			events = append(events, eventOf(EventAgentThought, span.EndedAt, map[string]any{"thought": said}))
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
		events = append(events, stepOf(span.EndedAt, call.ID, call.Name, step))
	}
	return events
}

// isItself says whether a run is the episode's own, seen by another instrumentation or from nearer.
func (t *trace) isItself(span *Span) bool {
	return !t.further[span] && (span.Agent == t.agentKey || span.Kind == SpanAgent && placeholders[span.Agent] || span.Name == t.first.Name)
}

// isSame says whether two answers are one, of which either may be cut off at its end.
func isSame(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= minSame && strings.HasPrefix(b, strings.TrimSuffix(a, "…"))
}

// minSame is from how many bytes on the beginning of an answer is that answer.
const minSame = 200

// repeatsParent says whether a tool's span is the same call as the one around it, seen by another
// instrumentation: that of the framework and that of the protocol.
func (t *trace) repeatsParent(span *Span) bool {
	return t.within(span, func(outer *Span) bool {
		return outer.Kind == SpanTool && (outer.Name == span.Name || span.CallID != "" && outer.CallID == span.CallID)
	})
}

// cameOf is what came of a step, with what it was given. Of a tool that says neither, models know it by the call.
func (t *trace) cameOf(span *Span) map[string]any {
	given, gave := span.Given, span.Gave
	if len(given) == 0 {
		given = t.wants[span.CallID]
	}
	if len(gave) == 0 && span.Error == "" {
		gave = t.answers[span.CallID]
	}
	step := stepResult(given, gave)
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

func stepOf(at time.Time, id, name string, result map[string]any) memory.Event {
	return eventOf(EventStepCompleted, at, map[string]any{"step_id": id, "step_name": name, "result": result})
}

func eventOf(kind string, at time.Time, data map[string]any) memory.Event {
	text, err := json.Marshal(data)
	if err != nil {
		panic("memory: a span that is not JSON: " + err.Error()) // it was decoded from JSON
	}
	return memory.Event{Type: kind, Data: text, At: at}
}

// withoutEchoes numbers a log of exact times, without thoughts that repeat the one before: a model's answer is often
// reported by the framework and by the client it uses.
func withoutEchoes(events []memory.Event) []memory.Event {
	before := ""
	events = slices.DeleteFunc(events, func(event memory.Event) bool {
		again := event.Type == EventAgentThought && string(event.Data) == before
		if event.Type == EventAgentThought {
			before = string(event.Data)
		}
		return again
	})
	for i := range events {
		events[i].Sequence, events[i].At = i, events[i].At.UTC().Truncate(time.Millisecond)
	}
	return events
}
