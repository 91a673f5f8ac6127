package boundary

import (
	"bytes"
	"reflect"
	"slices"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/store"
)

func (b *Boundary) restoreConcept(r *store.ConceptRecord) {
	c := &r.Concept
	c.Key, c.MemoirKey = b.Label("key", c.Key), b.Label("memoir", c.MemoirKey)
	c.Name, c.Content, c.Labels = b.name("name", c.Name), b.required("content", c.Content), b.Labels("labels", c.Labels)
	for i := range c.Revisions {
		place, revision := At("revisions", i), &c.Revisions[i]
		revision.Content, revision.Labels = b.Text(place+".content", revision.Content), b.restoredLabels(place+".labels", revision.Labels)
		revision.At = stamp(revision.At)
	}
	c.CreatedAt, c.UpdatedAt = stamp(c.CreatedAt), stamp(c.UpdatedAt)
	b.receipt(&c.Receipt)
}

// restoredLabels are labels of which none and null are not the same.
func (b *Boundary) restoredLabels(field string, labels []string) []string {
	if labels == nil {
		return nil
	}
	return b.Labels(field, labels)
}

func (b *Boundary) restoreEpisode(r *store.EpisodeRecord) {
	e := &r.Episode
	e.Key, e.AgentKey = b.Label("key", e.Key), b.Label("agent", e.AgentKey)
	e.SessionKey, e.TaskType = b.OptionalLabel("session", e.SessionKey), b.OptionalLabel("taskType", e.TaskType)
	e.UserID = b.OptionalLabel("userId", e.UserID)
	e.ExecutionIDs = b.Labels("executionIds", e.ExecutionIDs)
	r.CausedBy, r.InformedBy, r.Mentions = b.Labels("causedBy", r.CausedBy), b.Labels("informedBy", r.InformedBy), b.Labels("mentions", r.Mentions)
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

// restoreTexts restores the texts of an episode of which its log says something, first those that others are made of.
func (b *Boundary) restoreTexts(e *memory.Episode, log memory.Episode) {
	known := append(segmentTexts(log.Segments), log.Observation, memory.OrZero(log.Result))
	e.Observation = b.unlessKnown(known, "observation", e.Observation)
	if !slices.Equal(e.Thoughts, log.Thoughts) {
		e.Thoughts = b.Texts("thoughts", e.Thoughts)
	}
	if !reflect.DeepEqual(e.Actions, log.Actions) {
		e.Actions = each(b, "actions", e.Actions, b.action)
	}
	if e.Result != nil {
		*e.Result = b.unlessKnown(known, "result", *e.Result)
	}
	if !bytes.Equal(e.Metadata, log.Metadata) {
		e.Metadata = b.json("metadata", e.Metadata)
	}
	known = slices.Concat(known, segmentTexts(capture.WholeSegment(e)), []string{summary.Title(e.Observation), log.Title, summary.Insight(e)})
	title, insight := b.unlessKnown(known, "title", e.Title), b.unlessKnown(known, "insight", e.Insight)
	FillIn(e, &title, &insight)
	if !b.List("segments", len(e.Segments)) {
		return
	}
	for i := range e.Segments {
		place, segment := At("segments", i), &e.Segments[i]
		segment.Text = b.unlessKnown(known, place+".text", segment.Text)
		segment.StartedAt, segment.EndedAt = stamp(segment.StartedAt), optionalStamp(segment.EndedAt)
	}
}

// unlessKnown is Text but for what rules derive from texts that were checked: put together, these may look like a
// secret that none of them holds.
func (b *Boundary) unlessKnown(known []string, field, text string) string {
	if slices.Contains(known, text) {
		return text
	}
	return b.Text(field, text)
}

func segmentTexts(segments []memory.Segment) []string {
	return memory.Mapped(segments, func(segment memory.Segment) string { return segment.Text })
}

func (b *Boundary) restoreCanvas(i *store.CanvasItem) {
	c := &i.Canvas
	c.Key = b.Label("key", c.Key)
	c.EpisodeKey, i.Named = b.OptionalLabel("episode", c.EpisodeKey), b.OptionalLabel("named", i.Named)
	c.SessionKey, c.UserID = b.OptionalLabel("session", c.SessionKey), b.OptionalLabel("userId", c.UserID)
	c.CanvasType, c.ComponentType = b.Label("canvasType", c.CanvasType), b.OptionalLabel("componentType", c.ComponentType)
	for n := range c.Actions {
		place, action := At("actions", n), &c.Actions[n]
		if action.ID != "" {
			action.ID = b.Label(place+".id", action.ID)
		}
		action.Metadata, action.At = b.json(place+".metadata", action.Metadata), stamp(action.At)
	}
}

func (b *Boundary) restoreObservation(r *store.ObservationRecord) {
	o := &r.Observation
	o.Key, o.SessionKey = b.Label("key", o.Key), b.OptionalLabel("session", o.SessionKey)
	o.UserID = b.OptionalLabel("userId", o.UserID)
	o.Content, o.About = b.required("content", o.Content), memory.Distinct(b.GlobalIDs("about", o.About))
	o.LastAccessedAt, o.CreatedAt = optionalStamp(o.LastAccessedAt), stamp(o.CreatedAt)
	b.receipt(&o.Receipt)
}

func (b *Boundary) restoreCorrection(r *store.CorrectionRecord) {
	c := &r.Correction
	c.Key, c.Topic = b.Label("key", c.Key), b.name("topic", c.Topic)
	c.Prediction, c.Correction = b.required("prediction", c.Prediction), b.required("correction", c.Correction)
	c.Context, c.CreatedBy = b.Optional("context", c.Context), b.OptionalLabel("createdBy", c.CreatedBy)
	c.About, c.CreatedAt = memory.Distinct(b.GlobalIDs("about", c.About)), stamp(c.CreatedAt)
	b.receipt(&c.Receipt)
}

// restoreLog restores the log of an episode, and gives what it tells.
func (b *Boundary) restoreLog(r *store.EpisodeRecord) memory.Episode {
	if len(r.Events) == 0 || !b.List("events", len(r.Events)) {
		return memory.Episode{}
	}
	if spans, ok := capture.SpansOfLog(r.Events); ok {
		return b.restoreSpanLog(r, spans)
	}
	for i := range r.Events {
		place, event := At("events", i), &r.Events[i]
		event.Type, event.At = b.Label(place+".type", event.Type), stamp(event.At)
		event.Data = b.json(place+".data", event.Data)
	}
	if b.err != nil {
		return memory.Episode{}
	}
	return capture.EpisodeFromEvents(r.Events)
}

// restoreSpanLog is restoreLog where spans are the log.
func (b *Boundary) restoreSpanLog(r *store.EpisodeRecord, spans []capture.Span) memory.Episode {
	for i := range spans {
		b.restoreSpan(At("events", i)+".data", &spans[i])
	}
	log, err := capture.SpanLog(spans)
	if b.Fail(err); b.err != nil {
		return memory.Episode{}
	}
	r.Events = log
	return capture.EpisodeFromSpans(spans)
}

// restoreSpan restores a span.
func (b *Boundary) restoreSpan(field string, span *capture.Span) {
	b.span(span, func(name string) string { return field + "." + name })
	span.InformedBy = b.Labels(field+".informedBy", span.InformedBy)
}

func (b *Boundary) restoreFeedback(i *store.FeedbackItem) {
	f := &i.Feedback
	f.Key, f.EpisodeKey = b.Label("key", f.Key), b.OptionalLabel("episode", f.EpisodeKey)
	f.CanvasKey, f.SessionKey = b.OptionalLabel("canvas", f.CanvasKey), b.OptionalLabel("session", f.SessionKey)
	f.UserID = b.OptionalLabel("userId", f.UserID)
	f.Corrections, f.Comment = b.Optional("corrections", f.Corrections), b.Optional("comment", f.Comment)
	f.AgentExecutionID, f.CreatedBy = b.OptionalLabel("agentExecutionId", f.AgentExecutionID), b.OptionalLabel("createdBy", f.CreatedBy)
	f.CreatedAt, f.Replaces = b.time("createdAt", f.CreatedAt), b.OptionalLabel("replaces", f.Replaces)
	i.Linked = b.OptionalLabel("linked", i.Linked)
	b.receipt(&f.Receipt)
}
