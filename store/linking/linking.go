// Package linking decides how records find one another, in whatever order they come: which episode a canvas or a
// feedback belongs to, what waits for what, and what episodes count of it. It is pure. A store looks for what is led
// to and what waits, under its locks, asks, and applies what it is told.
package linking

import (
	"time"

	"mneme/memory"
)

// Awaited is what leads a record to another, and what it waits for where that is not there. The zero value is nothing.
type Awaited struct {
	Kind memory.Kind // of the record, but for the two below
	Key  string
}

// Waits says whether a record waits for what leads it. What is led by its canvas goes where that goes, and waits for
// nothing but the canvas itself.
func (a Awaited) Waits() bool { return a.Key != "" && a.Kind != memory.KindCanvas }

// Session leads to an episode of a session, Execution to the episode that covers an execution.
const (
	Session   = memory.KindSession
	Execution = memory.KindExecution
)

// Feedback is what leads feedback to its episode: the first that it names.
func Feedback(f *memory.Feedback) Awaited {
	for _, named := range []struct {
		kind memory.Kind
		key  *string
	}{
		{memory.KindEpisode, f.EpisodeKey}, {Execution, f.AgentExecutionID}, {memory.KindCanvas, f.CanvasKey}, {Session, f.SessionKey},
	} {
		if named.key != nil {
			return Awaited{named.kind, *named.key}
		}
	}
	return Awaited{Kind: Session}
}

// Episode is what records may have been waiting for when an episode arrives.
func Episode(e *memory.Episode) []Awaited {
	awaited := []Awaited{{memory.KindEpisode, e.Key}}
	for _, id := range e.ExecutionIDs {
		awaited = append(awaited, Awaited{Execution, id})
	}
	if e.SessionKey != nil {
		awaited = append(awaited, Awaited{Session, *e.SessionKey})
	}
	return awaited
}

// Span is an episode of a session.
type Span struct {
	Key       string
	ID        int64 // by which a store knows it, if it numbers them
	StartedAt time.Time
	EndedAt   *time.Time
}

// Pick is the rule of Backfill: to which episode of its session a record belongs by its time. That is the one that
// holds the time (the latest started where several do; an open end holds nothing), else the latest started at or
// before it, else the first; of those that started together the first by key. It is nil where there is none.
//
// A store may give those three alone instead of all.
func Pick(at time.Time, session []Span) *Span {
	var holding, started, next *Span
	for i := range session {
		e := &session[i]
		if e.StartedAt.After(at) {
			if next == nil || e.StartedAt.Before(next.StartedAt) || e.StartedAt.Equal(next.StartedAt) && e.Key < next.Key {
				next = e
			}
			continue
		}
		if e.later(started) {
			started = e
		}
		if e.EndedAt != nil && !e.EndedAt.Before(at) && e.later(holding) {
			holding = e
		}
	}
	switch {
	case holding != nil:
		return holding
	case started != nil:
		return started
	}
	return next
}

func (s *Span) later(other *Span) bool {
	return other == nil || s.StartedAt.After(other.StartedAt) || s.StartedAt.Equal(other.StartedAt) && s.Key < other.Key
}

// PickArrived is Pick for a record that has been waiting in the session of an episode that arrives: only that
// episode takes it, if it is picked and the record is not older than Since.
func PickArrived(at time.Time, session []Span) *Span {
	picked := Pick(at, session)
	if picked == nil || at.Before(Since(picked.StartedAt)) {
		return nil
	}
	return picked
}

// Since is the time of the oldest record that an episode takes when it arrives. What is older waits for Backfill,
// since an earlier episode may still come.
func Since(startedAt time.Time) time.Time { return startedAt }
