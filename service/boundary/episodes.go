package boundary

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/store"
)

// Episode brings an input to the record that is stored, or says what is wrong with it.
func (b *Boundary) Episode(input RecordEpisodeInput) (store.EpisodeRecord, error) {
	outcome := memory.ValueOr(input.Outcome, memory.OutcomeUnknown)
	b.Require(outcome.Valid(), "outcome", "must be SUCCESS, FAILURE or UNKNOWN")
	clean := RecordEpisodeInput{ // what is hashed and recorded: bare keys, redacted texts and defaults
		ID:          b.OptionalKey(memory.KindEpisode, "id", input.ID),
		AgentID:     b.Key(memory.KindAgent, "agentId", input.AgentID),
		AgentName:   mapped(input.AgentName, func(name string) string { return b.required("agentName", name) }),
		Title:       b.Optional("title", input.Title),
		SessionID:   b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		TaskType:    b.OptionalLabel("taskType", input.TaskType),
		Observation: b.required("observation", input.Observation),
		Thoughts:    b.Texts("thoughts", input.Thoughts),
		Actions: each(b, "actions", input.Actions, func(place string, action ActionInput) ActionInput {
			return ActionInput(b.action(place, memory.Action(action)))
		}),
		Result:        b.Optional("result", input.Result),
		Outcome:       &outcome,
		StartedAt:     b.OptionalTime("startedAt", input.StartedAt),
		EndedAt:       b.OptionalTime("endedAt", input.EndedAt),
		EpisodeExtras: b.extras(input.EpisodeExtras),
	}
	now := b.Clock()
	episode := memory.Episode{
		Key: keyOr(clean.ID), AgentKey: clean.AgentID, SessionKey: clean.SessionID, TaskType: clean.TaskType,
		Observation: clean.Observation, Thoughts: clean.Thoughts,
		Actions: memory.Mapped(clean.Actions, func(input ActionInput) memory.Action { return memory.Action(input) }),
		Result:  clean.Result, Outcome: outcome, Concluded: outcome != memory.OutcomeUnknown,
		EndedAt: clean.EndedAt, CreatedAt: now, StartedAt: startOf(clean, now), Receipt: b.redacting.Receipt(),
	}
	record := b.recordOf(episode, clean.EpisodeExtras, clean.Title)
	record.Episode.Segments, record.AgentName = capture.WholeSegment(&record.Episode), clean.AgentName
	record.InputHash = b.hash(clean)
	return record, b.err
}

// extras cleans what a caller says of an episode.
func (b *Boundary) extras(input EpisodeExtras) EpisodeExtras {
	return EpisodeExtras{
		UserID:       b.userID(input.UserID),
		ExecutionIDs: b.Labels("executionIds", input.ExecutionIDs),
		Insight:      b.Optional("insight", input.Insight),
		CausedBy:     b.others(memory.KindEpisode, "causedBy", input.CausedBy),
		InformedBy:   b.others(memory.KindEpisode, "informedBy", input.InformedBy),
		ConceptIDs:   b.others(memory.KindConcept, "conceptIds", input.ConceptIDs),
		Embedding:    input.Embedding,
		Metadata:     b.json("metadata", input.Metadata),
		Quality:      b.Share("quality", input.Quality),
		Cost:         b.upTo(memory.MaxCost, "cost", input.Cost),
	}
}

// recordOf is the record of an episode and what was told of it, with what follows from both.
func (b *Boundary) recordOf(episode memory.Episode, extras EpisodeExtras, title *string) store.EpisodeRecord {
	episode.UserID, episode.ExecutionIDs, episode.Metadata, episode.Quality = extras.UserID, extras.ExecutionIDs, extras.Metadata, extras.Quality
	episode.Cost = extras.Cost
	episode.Embedding = b.Vector("embedding", extras.Embedding)
	b.Fail(episode.Check(extras.CausedBy, extras.InformedBy))
	FillIn(&episode, title, extras.Insight)
	return store.EpisodeRecord{Episode: episode, CausedBy: extras.CausedBy, InformedBy: extras.InformedBy, Mentions: extras.ConceptIDs}
}

func (b *Boundary) action(place string, action memory.Action) memory.Action {
	return memory.Action{
		StepID:   b.OptionalLabel(place+".stepId", action.StepID),
		StepName: b.required(place+".stepName", action.StepName),
		Result:   b.json(place+".result", action.Result),
	}
}

// Run brings a run's log to the record of its episode.
func (b *Boundary) Run(input CaptureRunInput) (store.EpisodeRecord, error) {
	clean := b.saidOfRun(input)
	b.Require(len(input.Events) > 0, "events", "must not be empty")
	clean.Events = each(b, "events", input.Events, b.event)
	for i, event := range clean.Events {
		place := memory.ValueOr(event.Sequence, i)
		b.Require(place == i, At("events", i)+".sequence", "is %d, and %d events are before it; a part of a log says append", place, i)
		clean.Events[i].Sequence = nil // which makes no other log
	}
	if b.err != nil {
		return store.EpisodeRecord{}, b.err
	}
	events := make([]memory.Event, len(clean.Events))
	for i, event := range clean.Events {
		events[i] = memory.Event{Sequence: i, Type: event.Type, Data: event.Data, At: event.At}
	}
	record := b.captured(&clean, capture.EpisodeFromEvents(events), b.redacting.Receipt())
	record.Events, record.InputHash = events, b.hash(clean)
	return record, b.err
}

// saidOfRun is what is said of a run beside its log.
func (b *Boundary) saidOfRun(input CaptureRunInput) CaptureRunInput {
	return CaptureRunInput{
		RunID:         b.Key(memory.KindEpisode, "runId", input.RunID),
		AgentID:       b.Key(memory.KindAgent, "agentId", input.AgentID),
		WorkflowName:  b.OptionalLabel("workflowName", input.WorkflowName),
		SessionID:     b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		Append:        input.Append,
		EpisodeExtras: b.extras(input.EpisodeExtras),
	}
}

func (b *Boundary) event(place string, input EventInput) EventInput {
	return EventInput{
		Sequence: input.Sequence,
		Type:     b.Label(place+".type", input.Type), Data: b.json(place+".data", input.Data), At: b.time(place+".at", input.At),
	}
}

// captured is the record of a run's episode, of which its log tells the rest.
func (b *Boundary) captured(run *CaptureRunInput, episode memory.Episode, receipt memory.Receipt) store.EpisodeRecord {
	episode.Key, episode.AgentKey, episode.SessionKey = run.RunID, run.AgentID, run.SessionID
	episode.TaskType, episode.CreatedAt, episode.Receipt = run.WorkflowName, b.Clock(), receipt
	return b.recordOf(episode, run.EpisodeExtras, nil)
}

// FillIn writes what the caller left out and every episode has.
func FillIn(episode *memory.Episode, title, insight *string) {
	if HasText(title) {
		episode.Title = *title
	} else if !HasText(&episode.Title) { // no log told one
		episode.Title = summary.Title(episode.Observation)
	}
	if HasText(insight) {
		episode.Insight = *insight
	} else {
		episode.Insight = summary.Insight(episode)
	}
}

// HasText tells a text from one that was left out or is blank.
func HasText(text *string) bool { return text != nil && strings.TrimSpace(*text) != "" }

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

// keyOr is the key that the caller chose, else a new one, a UUIDv7.
func keyOr(chosen *string) string {
	if chosen != nil {
		return *chosen
	}
	return uuid.Must(uuid.NewV7()).String()
}

// RunPart brings an input to the record of an episode that is open, and what is to be added to its log.
func (b *Boundary) RunPart(input CaptureRunInput) (record store.EpisodeRecord, part store.LogPart, err error) {
	if part.Events = b.loggedEvents(input.Events); b.err != nil {
		return record, part, b.err
	}
	start := slices.MinFunc(part.Events, func(a, b store.LoggedEvent) int { return a.At.Compare(b.At) }).At
	b.beginReceipt() // the events have receipts of their own
	clean := b.saidOfRun(input)
	told := capture.EpisodeFromEvents(memory.Mapped(part.Events, func(e store.LoggedEvent) memory.Event { return e.Event }))
	open := capture.EpisodeFromEvents(nil)
	open.Title, open.Observation, open.StartedAt = told.Title, told.Observation, start
	record = b.captured(&clean, open, b.redacting.Receipt())
	record.InputHash = b.hash(clean)
	part.Episode, part.InputHash = record.Episode.Key, record.InputHash
	return record, part, b.err
}

// MaxLog is how many events a log that comes in parts may have.
const MaxLog = store.MaxLogEvents

// loggedEvents cleans the events of a part, each with its own receipt: those of events already there are not added.
func (b *Boundary) loggedEvents(inputs []EventInput) []store.LoggedEvent {
	b.Require(len(inputs) > 0, "events", "must not be empty")
	return each(b, "events", inputs, func(place string, input EventInput) store.LoggedEvent {
		b.beginReceipt()
		clean := b.event(place, input)
		sequence := memory.ValueOr(clean.Sequence, -1)
		inLog := 0 <= sequence && sequence < store.MaxLogEvents
		b.Require(inLog, place+".sequence", "must be the event's place in the log, 0 to %d", store.MaxLogEvents-1)
		return store.LoggedEvent{
			Event:   memory.Event{Sequence: sequence, Type: clean.Type, Data: clean.Data, At: clean.At},
			Receipt: b.redacting.Receipt(),
		}
	})
}

// Agent is the record of an agent by name.
func (b *Boundary) Agent(id, name string) (memory.Agent, error) {
	agent := memory.Agent{Key: b.Key(memory.KindAgent, "id", id), Name: b.required("name", name)}
	return agent, b.err
}

// Conclusion is the end of an episode, with the receipt of what was taken out of its texts.
func (b *Boundary) Conclusion(input ConcludeEpisodeInput) (store.EpisodeConclusion, error) {
	conclusion := store.EpisodeConclusion{
		Key:     b.Key(memory.KindEpisode, "id", input.ID),
		Outcome: input.Outcome,
		Result:  b.Optional("result", input.Result),
		Insight: b.Optional("insight", input.Insight),
		Quality: b.Share("quality", input.Quality),
		Cost:    b.upTo(memory.MaxCost, "cost", input.Cost),
		EndedAt: b.OptionalTime("endedAt", input.EndedAt),
	}
	b.Require(input.Outcome == memory.OutcomeSuccess || input.Outcome == memory.OutcomeFailure, "outcome", "must be SUCCESS or FAILURE")
	conclusion.Receipt = b.redacting.Receipt()
	return conclusion, b.err
}
