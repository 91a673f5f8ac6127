package service

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/store"
)

// RecordEpisode records one episode and answers it as it is now known. The same input with the same id
// again answers the same episode; other content is CONFLICT.
func (g *Episodes) RecordEpisode(ctx context.Context, input RecordEpisodeInput, include Include) (*memory.Episode, error) {
	record, err := g.episodeRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	return g.saveEpisode(ctx, record, include)
}

// RecordEpisodes records a batch in order and reports each item; a faulty one does not keep the others out.
func (g *Episodes) RecordEpisodes(ctx context.Context, input RecordEpisodesInput) (*BatchResult, error) {
	return recordBatch(ctx, g.tenant, memory.KindEpisode, "episodes", input.Episodes, g.episodeRecord,
		func(ctx context.Context, records []store.EpisodeRecord) ([]store.Recorded, error) {
			g.enrich(ctx, records)
			return keep(ctx, g.tenant, records)
		})
}

// CaptureRun turns the log of a finished run into the episode whose key is the run's id, or adds a part to its log.
func (g *Episodes) CaptureRun(ctx context.Context, input CaptureRunInput, include Include) (*memory.Episode, error) {
	if input.Append {
		return g.appendRun(ctx, input, include)
	}
	record, err := g.runRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	return g.saveEpisode(ctx, record, include)
}

// ConcludeEpisode sets the outcome of an episode that was recorded before it was known. It can be done
// once: of an episode that has its outcome it answers what there is where that is what is said of it, and else is CONFLICT.
func (g *Episodes) ConcludeEpisode(ctx context.Context, input ConcludeEpisodeInput, include Include) (*memory.Episode, error) {
	b := g.boundary(ctx)
	conclusion := store.EpisodeConclusion{
		Key:     b.key(memory.KindEpisode, "id", input.ID),
		Outcome: input.Outcome,
		Result:  b.optional("result", input.Result),
		Insight: b.optional("insight", input.Insight),
		Quality: b.share("quality", input.Quality),
		Cost:    b.upTo(memory.MaxCost, "cost", input.Cost),
		EndedAt: b.optionalTime("endedAt", input.EndedAt),
	}
	if input.Outcome != memory.OutcomeSuccess && input.Outcome != memory.OutcomeFailure {
		b.fail(memory.Invalid("outcome", "must be SUCCESS or FAILURE"))
	}
	if b.err != nil {
		return nil, b.err
	}
	err := g.conclude(ctx, conclusion, b.redactor.Receipt())
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return nil, err
	}
	e, wrong := g.oneEpisode(ctx, conclusion.Key, include)
	if wrong == nil && err != nil && !hasEnded(e, &conclusion) {
		return nil, err
	}
	return e, wrong
}

// hasEnded says whether an episode has its outcome, and is what a conclusion says of it.
func hasEnded(e *memory.Episode, as *store.EpisodeConclusion) bool {
	return e.Concluded && e.Outcome == as.Outcome && isSaid(e.Result, as.Result) && isSaid(e.Quality, as.Quality) && isSaid(e.Cost, as.Cost) &&
		(!hasText(as.Insight) || e.Insight == *as.Insight) &&
		(as.EndedAt == nil || e.EndedAt != nil && e.EndedAt.Equal(*as.EndedAt))
}

// isSaid says whether a value is what is said of it, if anything is.
func isSaid[T comparable](is, said *T) bool { return said == nil || is != nil && *is == *said }

// conclude writes the end of an episode, with the receipt of what was taken out of its texts; anew where somebody added to
// it meanwhile, since models take their time. It is ErrConflict where that has its outcome.
func (g *Episodes) conclude(ctx context.Context, conclusion store.EpisodeConclusion, receipt memory.Receipt) error {
	for tries := 1; ; tries++ {
		err := g.concludeOnce(ctx, conclusion, receipt)
		if !errors.Is(err, errChanged) || tries == settleTries {
			return err
		}
	}
}

var errChanged = errors.New("the episode was changed meanwhile")

func (g *Episodes) concludeOnce(ctx context.Context, conclusion store.EpisodeConclusion, receipt memory.Receipt) error {
	before, err := g.oneEpisode(ctx, conclusion.Key, Include{})
	switch {
	case err != nil:
		return err
	case before.Concluded:
		return concludeFault(store.ErrConflict)
	}
	if parts, err := g.concludeParts(ctx, before, &conclusion, receipt); parts || err != nil {
		return err
	}
	ended := memory.Episode{Key: before.Key, StartedAt: before.StartedAt, EndedAt: conclusion.EndedAt}
	if err := ended.Check(nil, nil); err != nil {
		return err
	}
	g.completeConclusion(ctx, before, &conclusion, receipt)
	err = g.store.ConcludeEpisode(ctx, conclusion)
	if errors.Is(err, store.ErrConflict) {
		err = errors.Join(errChanged, err) // or it was concluded, which is seen the next time
	}
	return concludeFault(err)
}

// completeConclusion adds what follows from a conclusion: the insight and the segment, where those before it were
// written by rule, the vector of the new text and the receipt over all that was said.
func (g *Episodes) completeConclusion(ctx context.Context, before *memory.Episode, conclusion *store.EpisodeConclusion, receipt memory.Receipt) {
	after := *before
	after.Outcome, after.Concluded = conclusion.Outcome, true
	if conclusion.Result != nil {
		after.Result = conclusion.Result
	}
	if conclusion.EndedAt != nil {
		after.EndedAt = conclusion.EndedAt
	}
	ctx, cancel := context.WithTimeout(ctx, g.modelTime)
	defer cancel()
	switch {
	case hasText(conclusion.Insight):
		after.Insight = *conclusion.Insight
	case before.Insight == summary.Insight(before):
		after.Insight = summary.Insight(&after)
		g.writeInsights(ctx, &after)
	}
	conclusion.Insight = &after.Insight
	if reflect.DeepEqual(before.Segments, capture.WholeSegment(before)) {
		conclusion.Segments = capture.WholeSegment(&after)
	}
	conclusion.Receipt, conclusion.Was = receipt, before.Receipt
	g.completeLater(&after)
}

func concludeFault(err error) error {
	if errors.Is(err, store.ErrConflict) {
		return &memory.Error{
			Code: memory.CodeConflict, Field: "id", Cause: err, Message: "the episode has its outcome already, and another end than this one; it is set once",
		}
	}
	return fault("the episode", err)
}

// Backfill links canvases and feedback that were recorded with a session and before its episodes.
func (u *Upkeep) Backfill(ctx context.Context, input BackfillInput) (*BackfillResult, error) {
	ctx = store.Unmetered(ctx)
	b := u.question(ctx)
	b.fail(access.Check(ctx, access.Record, "to link what came late"))
	session := b.optionalKey(memory.KindSession, "sessionId", input.SessionID)
	if b.err != nil {
		return nil, b.err
	}
	linked, err := u.store.Backfill(ctx, session)
	if err != nil {
		return nil, fault("the session", err)
	}
	return &BackfillResult{LinkedCanvases: linked.Canvases, LinkedFeedback: linked.Feedback, Episodes: linked.Episodes}, nil
}

// saveEpisode writes one record and reads it back with what was linked to it.
func (g *Episodes) saveEpisode(ctx context.Context, record store.EpisodeRecord, include Include) (*memory.Episode, error) {
	records := []store.EpisodeRecord{record}
	g.enrich(ctx, records)
	recorded, err := keep(ctx, g.tenant, records)
	if err := fault("the episode", itemOf(recorded, err)); err != nil {
		return nil, err
	}
	return g.oneEpisode(ctx, record.Episode.Key, include)
}

// episodeRecord brings an input to the record that is stored, or says what is wrong with it.
func (g *Episodes) episodeRecord(ctx context.Context, input RecordEpisodeInput) (store.EpisodeRecord, error) {
	b := g.boundary(ctx)
	clean := g.cleanEpisode(b, input)
	now := g.clock()
	episode := memory.Episode{
		Key: keyOr(clean.ID), AgentKey: clean.AgentID, SessionKey: clean.SessionID, TaskType: clean.TaskType,
		Observation: clean.Observation, Thoughts: clean.Thoughts, Actions: actionsOf(clean.Actions),
		Result: clean.Result, Outcome: *clean.Outcome, Concluded: *clean.Outcome != memory.OutcomeUnknown,
		EndedAt: clean.EndedAt, CreatedAt: now, StartedAt: startOf(clean, now), Receipt: b.redactor.Receipt(),
	}
	record := g.recordOf(b, episode, clean.EpisodeExtras, clean.Title)
	record.Episode.Segments, record.AgentName = capture.WholeSegment(&record.Episode), clean.AgentName
	record.InputHash = g.inputHash(ctx, b, clean)
	return record, b.err
}

// extras cleans what a caller says of an episode.
func (b *boundary) extras(input EpisodeExtras) EpisodeExtras {
	return EpisodeExtras{
		UserID:       b.userID(input.UserID),
		ExecutionIDs: b.labels("executionIds", input.ExecutionIDs),
		Insight:      b.optional("insight", input.Insight),
		CausedBy:     b.others(memory.KindEpisode, "causedBy", input.CausedBy),
		InformedBy:   b.others(memory.KindEpisode, "informedBy", input.InformedBy),
		ConceptIDs:   b.others(memory.KindConcept, "conceptIds", input.ConceptIDs),
		Embedding:    input.Embedding,
		Metadata:     b.json("metadata", input.Metadata),
		Quality:      b.share("quality", input.Quality),
		Cost:         b.upTo(memory.MaxCost, "cost", input.Cost),
	}
}

// recordOf is the record of an episode and what was told of it, with what follows from both.
func (g *Episodes) recordOf(b *boundary, episode memory.Episode, extras EpisodeExtras, title *string) store.EpisodeRecord {
	episode.UserID, episode.ExecutionIDs, episode.Metadata, episode.Quality = extras.UserID, extras.ExecutionIDs, extras.Metadata, extras.Quality
	episode.Cost = extras.Cost
	episode.Embedding = b.vector("embedding", extras.Embedding, g.vectorLength)
	b.fail(episode.Check(extras.CausedBy, extras.InformedBy))
	fillIn(&episode, title, extras.Insight)
	return store.EpisodeRecord{Episode: episode, CausedBy: extras.CausedBy, InformedBy: extras.InformedBy, Mentions: extras.ConceptIDs}
}

// cleanEpisode is the input with bare keys, redacted texts and defaults: what is hashed and recorded.
func (g *Episodes) cleanEpisode(b *boundary, input RecordEpisodeInput) RecordEpisodeInput {
	outcome := valueOr(input.Outcome, memory.OutcomeUnknown)
	if !outcome.Valid() {
		b.fail(memory.Invalid("outcome", "must be SUCCESS, FAILURE or UNKNOWN"))
	}
	return RecordEpisodeInput{
		ID:            b.optionalKey(memory.KindEpisode, "id", input.ID),
		AgentID:       b.key(memory.KindAgent, "agentId", input.AgentID),
		AgentName:     b.optionalRequired("agentName", input.AgentName),
		Title:         b.optional("title", input.Title),
		SessionID:     b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		TaskType:      b.optionalLabel("taskType", input.TaskType),
		Observation:   b.required("observation", input.Observation),
		Thoughts:      b.texts("thoughts", input.Thoughts),
		Actions:       b.actions("actions", input.Actions),
		Result:        b.optional("result", input.Result),
		Outcome:       &outcome,
		StartedAt:     b.optionalTime("startedAt", input.StartedAt),
		EndedAt:       b.optionalTime("endedAt", input.EndedAt),
		EpisodeExtras: b.extras(input.EpisodeExtras),
	}
}

func (b *boundary) actions(field string, inputs []ActionInput) []ActionInput {
	return each(b, field, inputs, func(place string, input ActionInput) ActionInput {
		return ActionInput{
			StepID:   b.optionalLabel(place+".stepId", input.StepID),
			StepName: b.required(place+".stepName", input.StepName),
			Result:   b.json(place+".result", input.Result),
		}
	})
}

// runRecord brings a run's log to the record of its episode.
func (g *Episodes) runRecord(ctx context.Context, input CaptureRunInput) (store.EpisodeRecord, error) {
	b := g.boundary(ctx)
	clean := b.run(input)
	b.someEvents(input.Events)
	clean.Events = each(b, "events", input.Events, b.event)
	for i, event := range clean.Events {
		if event.Sequence != nil && *event.Sequence != i {
			b.fail(memory.Invalid(at("events", i)+".sequence", "is %d, and %d events are before it; a part of a log says append", *event.Sequence, i))
		}
		clean.Events[i].Sequence = nil // which makes no other log
	}
	if b.err != nil {
		return store.EpisodeRecord{}, b.err
	}
	events := make([]memory.Event, len(clean.Events))
	for i, event := range clean.Events {
		events[i] = memory.Event{Sequence: i, Type: event.Type, Data: event.Data, At: event.At}
	}
	record := g.captured(b, &clean, capture.EpisodeFromEvents(events), b.redactor.Receipt())
	record.Events, record.InputHash = events, g.inputHash(ctx, b, clean)
	return record, b.err
}

// UnreadEvents says of which events of a log less is read than their sender may think, and why. Each reason is given once, with the number of the
// first event that was sent and how many are like it.
func UnreadEvents(events []EventInput) []string {
	var notes capture.Notes
	for i, event := range events {
		notes.Add(valueOr(event.Sequence, i), event.Type, event.Data)
	}
	return memory.Mapped(notes, func(note capture.Note) string { return note.Of("event") })
}

// run is what is said of a run beside its log.
func (b *boundary) run(input CaptureRunInput) CaptureRunInput {
	return CaptureRunInput{
		RunID:         b.key(memory.KindEpisode, "runId", input.RunID),
		AgentID:       b.key(memory.KindAgent, "agentId", input.AgentID),
		WorkflowName:  b.optionalLabel("workflowName", input.WorkflowName),
		SessionID:     b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		Append:        input.Append,
		EpisodeExtras: b.extras(input.EpisodeExtras),
	}
}

// someEvents refuses a call without events.
func (b *boundary) someEvents(inputs []EventInput) {
	if len(inputs) == 0 {
		b.fail(memory.Invalid("events", "must not be empty"))
	}
}

func (b *boundary) event(place string, input EventInput) EventInput {
	return EventInput{
		Sequence: input.Sequence,
		Type:     b.label(place+".type", input.Type), Data: b.json(place+".data", input.Data), At: b.time(place+".at", input.At),
	}
}

// captured is the record of a run's episode, of which its log tells the rest.
func (g *Episodes) captured(b *boundary, run *CaptureRunInput, episode memory.Episode, receipt memory.Receipt) store.EpisodeRecord {
	episode.Key, episode.AgentKey, episode.SessionKey = run.RunID, run.AgentID, run.SessionID
	episode.TaskType, episode.CreatedAt, episode.Receipt = run.WorkflowName, g.clock(), receipt
	return g.recordOf(b, episode, run.EpisodeExtras, nil)
}

// fillIn writes what the caller left out and every episode has.
func fillIn(episode *memory.Episode, title, insight *string) {
	if hasText(title) {
		episode.Title = *title
	} else if !hasText(&episode.Title) { // no log told one
		episode.Title = summary.Title(episode.Observation)
	}
	if hasText(insight) {
		episode.Insight = *insight
	} else {
		episode.Insight = summary.Insight(episode)
	}
}

// hasText tells a text from one that was left out or is blank.
func hasText(text *string) bool { return text != nil && strings.TrimSpace(*text) != "" }

// startOf is when an episode started: as the caller says, else now, but never after its end.
func startOf(input RecordEpisodeInput, now time.Time) time.Time {
	switch {
	case input.StartedAt != nil:
		return *input.StartedAt
	case input.EndedAt != nil && input.EndedAt.Before(now):
		return *input.EndedAt
	default:
		return now
	}
}

func actionsOf(inputs []ActionInput) []memory.Action {
	return memory.Mapped(inputs, func(input ActionInput) memory.Action { return memory.Action(input) })
}

// keyOr is the key that the caller chose, else a new one, a UUIDv7.
func keyOr(chosen *string) string {
	if chosen != nil {
		return *chosen
	}
	return uuid.Must(uuid.NewV7()).String()
}
