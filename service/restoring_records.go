package service

import (
	"bytes"
	"slices"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/store"
)

func (b *boundary) restoreMemoir(r *store.MemoirRecord) {
	m := &r.Memoir
	m.Key, m.Name = b.label("key", m.Key), b.restoredName("name", m.Name)
	m.Description, m.CreatedAt = b.optional("description", m.Description), stamp(m.CreatedAt)
}

func (b *boundary) restoreConcept(r *store.ConceptRecord) {
	c := &r.Concept
	c.Key, c.MemoirKey = b.label("key", c.Key), b.label("memoir", c.MemoirKey)
	c.Name, c.Content, c.Labels = b.restoredName("name", c.Name), b.required("content", c.Content), b.labels("labels", c.Labels)
	for i := range c.Revisions {
		place, revision := at("revisions", i), &c.Revisions[i]
		revision.Content, revision.Labels = b.text(place+".content", revision.Content), b.restoredLabels(place+".labels", revision.Labels)
		revision.At = stamp(revision.At)
	}
	c.CreatedAt, c.UpdatedAt = stamp(c.CreatedAt), stamp(c.UpdatedAt)
	b.receipt(&c.Receipt)
}

// restoredLabels are labels of which none and null are not the same.
func (b *boundary) restoredLabels(field string, labels []string) []string {
	if labels == nil {
		return nil
	}
	return b.labels(field, labels)
}

func (b *boundary) restoreEpisode(r *store.EpisodeRecord) {
	e := &r.Episode
	e.Key, e.AgentKey = b.label("key", e.Key), b.label("agent", e.AgentKey)
	e.SessionKey, e.TaskType = b.optionalLabel("session", e.SessionKey), b.optionalLabel("taskType", e.TaskType)
	e.UserID = b.optionalLabel("userId", e.UserID)
	e.ExecutionIDs = b.labels("executionIds", e.ExecutionIDs)
	r.CausedBy, r.InformedBy, r.Mentions = b.labels("causedBy", r.CausedBy), b.labels("informedBy", r.InformedBy), b.labels("mentions", r.Mentions)
	e.StartedAt, e.EndedAt = stamp(e.StartedAt), optionalStamp(e.EndedAt)
	e.CreatedAt = stamp(e.CreatedAt)
	if len(r.Events) > 0 {
		b.maxList = restoredList
	}
	if b.err == nil {
		b.restoreTexts(e, b.restoreLog(r))
	}
	b.receipt(&e.Receipt)
}

// derived is what rules say of an episode from texts that were checked: it passes as it is, since texts put together
// may look like a secret that none of them holds.
type derived struct {
	log   memory.Episode // what its log says of it
	texts []string
	// more gives the texts that follow from the rest, once that is checked.
	more func() []string
}

// has says whether a text is a derived one.
func (t *derived) has(text string) bool {
	if t.more != nil {
		t.texts = append(t.texts, t.more()...)
		t.more = nil
	}
	return slices.Contains(t.texts, text)
}

func derivedFrom(log memory.Episode) *derived {
	t := &derived{log: log, texts: []string{log.Observation}}
	if log.Result != nil {
		t.texts = append(t.texts, *log.Result)
	}
	t.texts = append(t.texts, segmentTexts(log.Segments)...)
	return t
}

func segmentTexts(segments []memory.Segment) []string {
	return memory.Mapped(segments, func(segment memory.Segment) string { return segment.Text })
}

// restoreTexts restores the texts of an episode, first those that others are made of.
func (b *boundary) restoreTexts(e *memory.Episode, t *derived) {
	e.Observation = b.unlessDerived(t, "observation", e.Observation)
	if !slices.Equal(e.Thoughts, t.log.Thoughts) {
		e.Thoughts = b.texts("thoughts", e.Thoughts)
	}
	b.restoreActions(e, t)
	if e.Result != nil {
		*e.Result = b.unlessDerived(t, "result", *e.Result)
	}
	if !bytes.Equal(e.Metadata, t.log.Metadata) {
		e.Metadata = b.restoredJSON("metadata", e.Metadata)
	}
	t.more = func() []string {
		return append(segmentTexts(capture.WholeSegment(e)), summary.Title(e.Observation), t.log.Title, summary.Insight(e))
	}
	title, insight := b.unlessDerived(t, "title", e.Title), b.unlessDerived(t, "insight", e.Insight)
	fillIn(e, &title, &insight)
	if !b.list("segments", len(e.Segments)) {
		return
	}
	for i := range e.Segments {
		place, segment := at("segments", i), &e.Segments[i]
		segment.Text = b.unlessDerived(t, place+".text", segment.Text)
		segment.StartedAt, segment.EndedAt = stamp(segment.StartedAt), optionalStamp(segment.EndedAt)
	}
}

func (b *boundary) unlessDerived(t *derived, field, text string) string {
	switch {
	case len(text) <= b.maxText && !b.hides(text): // as nearly all, so that nothing need be told anew
		b.checked(field, text)
		return text
	case t.has(text):
		return text
	}
	return b.text(field, text)
}

// restoreActions restores the actions that no log tells of.
func (b *boundary) restoreActions(e *memory.Episode, t *derived) {
	if slices.EqualFunc(e.Actions, t.log.Actions, sameAction) || !b.list("actions", len(e.Actions)) {
		return
	}
	for i := range e.Actions {
		place, action := at("actions", i), &e.Actions[i]
		action.StepID, action.StepName = b.optionalLabel(place+".stepId", action.StepID), b.required(place+".stepName", action.StepName)
		action.Result = b.restoredJSON(place+".result", action.Result)
	}
}

func sameAction(a, b memory.Action) bool {
	return a.StepName == b.StepName && sameText(a.StepID, b.StepID) && bytes.Equal(a.Result, b.Result)
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func (b *boundary) restoreCanvas(i *store.CanvasItem) {
	c := &i.Canvas
	c.Key = b.label("key", c.Key)
	c.EpisodeKey, i.Named = b.optionalLabel("episode", c.EpisodeKey), b.optionalLabel("named", i.Named)
	c.SessionKey, c.UserID = b.optionalLabel("session", c.SessionKey), b.optionalLabel("userId", c.UserID)
	c.CanvasType, c.ComponentType = b.label("canvasType", c.CanvasType), b.optionalLabel("componentType", c.ComponentType)
	for n := range c.Actions {
		place, action := at("actions", n), &c.Actions[n]
		if action.ID != "" {
			action.ID = b.label(place+".id", action.ID)
		}
		action.Metadata, action.At = b.restoredJSON(place+".metadata", action.Metadata), stamp(action.At)
	}
}

func (b *boundary) restoreExecution(r *store.ExecutionRecord) {
	e := &r.Execution
	e.Key, e.AgentKey = b.label("key", e.Key), b.label("agent", e.AgentKey)
	e.TaskType, e.At = b.label("taskType", e.TaskType), stamp(e.At)
}

func (b *boundary) restoreObservation(r *store.ObservationRecord) {
	o := &r.Observation
	o.Key, o.SessionKey = b.label("key", o.Key), b.optionalLabel("session", o.SessionKey)
	o.UserID = b.optionalLabel("userId", o.UserID)
	o.Content, o.About = b.required("content", o.Content), b.globalIDs("about", o.About)
	o.LastAccessedAt, o.CreatedAt = optionalStamp(o.LastAccessedAt), stamp(o.CreatedAt)
	b.receipt(&o.Receipt)
}

func (b *boundary) restoreCorrection(r *store.CorrectionRecord) {
	c := &r.Correction
	c.Key, c.Topic = b.label("key", c.Key), b.restoredName("topic", c.Topic)
	c.Prediction, c.Correction = b.required("prediction", c.Prediction), b.required("correction", c.Correction)
	c.Context, c.CreatedBy = b.optional("context", c.Context), b.optionalLabel("createdBy", c.CreatedBy)
	c.About, c.CreatedAt = b.globalIDs("about", c.About), stamp(c.CreatedAt)
	b.receipt(&c.Receipt)
}

// restoreLog restores the log of an episode, and gives what it tells.
func (b *boundary) restoreLog(r *store.EpisodeRecord) *derived {
	if len(r.Events) == 0 || !b.list("events", len(r.Events)) {
		return derivedFrom(memory.Episode{})
	}
	if spans, ok := capture.SpansOfLog(r.Events); ok {
		return b.restoreSpanLog(r, spans)
	}
	for i := range r.Events {
		place, event := at("events", i), &r.Events[i]
		event.Type, event.At = b.label(place+".type", event.Type), stamp(event.At)
		event.Data = b.restoredJSON(place+".data", event.Data)
	}
	if b.err != nil {
		return derivedFrom(memory.Episode{})
	}
	return derivedFrom(capture.EpisodeFromEvents(r.Events))
}

// restoreSpanLog is restoreLog where spans are the log.
func (b *boundary) restoreSpanLog(r *store.EpisodeRecord, spans []capture.Span) *derived {
	for i := range spans {
		b.restoreSpan(at("events", i)+".data", &spans[i])
	}
	log, err := capture.SpanLog(spans)
	if b.fail(err); b.err != nil {
		return derivedFrom(memory.Episode{})
	}
	r.Events = log
	return derivedFrom(capture.EpisodeFromSpans(spans))
}

// restoreSpan restores a span.
func (b *boundary) restoreSpan(field string, span *capture.Span) {
	span.ID = b.label(field+".id", span.ID)
	for _, of := range []struct {
		name  string
		value *string
	}{
		{".parent", &span.Parent}, {".agent", &span.Agent}, {".session", &span.Session}, {".taskType", &span.TaskType}, {".user", &span.User}, {".callId", &span.CallID},
	} {
		if *of.value != "" {
			*of.value = b.label(field+of.name, *of.value)
		}
	}
	span.Name, span.Instructions, span.Error = b.text(field+".name", span.Name), b.text(field+".instructions", span.Instructions), b.text(field+".error", span.Error)
	span.Given, span.Gave = b.restoredSpanJSON(field+".given", span.Given), b.restoredSpanJSON(field+".gave", span.Gave)
	span.Said = b.texts(field+".said", span.Said)
	span.InformedBy = b.labels(field+".informedBy", span.InformedBy)
	b.restoreCalls(field, span)
	span.Labels = b.spanLabels(field+".labels", span.Labels)
}

func (b *boundary) restoreCalls(field string, span *capture.Span) {
	if b.list(field+".calls", len(span.Calls)) {
		for i := range span.Calls {
			place, call := at(field+".calls", i), &span.Calls[i]
			b.restoreCallID(place+".id", call.ID)
			call.Name, call.Arguments = b.text(place+".name", call.Name), b.restoredSpanJSON(place+".arguments", call.Arguments)
		}
	}
	if b.list(field+".answers", len(span.Answers)) {
		for i := range span.Answers {
			place, answer := at(field+".answers", i), &span.Answers[i]
			b.restoreCallID(place+".id", answer.ID)
			answer.Name, answer.Arguments = b.text(place+".name", answer.Name), b.restoredSpanJSON(place+".arguments", answer.Arguments)
			answer.Result = b.restoredSpanJSON(place+".result", answer.Result)
		}
	}
}

// restoreCallID checks what a call goes by, which need not be a name.
func (b *boundary) restoreCallID(field, id string) {
	if b.checked(field, id) && b.hides(id) {
		b.fail(secretInName(field))
	}
}

func (b *boundary) restoredSpanJSON(field string, value memory.JSON) memory.JSON {
	bounds := memory.RestoredJSON
	bounds.Depth = memory.SpanJSON.Depth
	return b.restoredWithin(bounds, field, value)
}
