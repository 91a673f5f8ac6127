// Package linking decides how records find one another, in whatever order they come: which episode a canvas or a
// feedback belongs to, what waits for what, and what episodes count of it. It is pure. A store looks for what is led
// to and what waits, under its locks, asks, and applies what it is told. RecordCanvasActions and RecordFeedback are
// where those come in, EpisodesArrived where what they waited for does; docs/adr/0008 says why.
package linking

import (
	"cmp"

	"mneme/memory"
)

// PendingRef leads a record to another, and says what it waits for where that is not there. The zero value is nothing.
type PendingRef struct {
	Kind memory.Kind // of the record, but for the two below
	Key  string
}

// Waits says whether a record waits for what leads it. What is led by its canvas goes where that goes, and waits for
// nothing but the canvas itself.
func (a PendingRef) Waits() bool { return a.Key != "" && a.Kind != memory.KindCanvas }

func (a PendingRef) compare(b PendingRef) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key))
}

// What a record waits for is as said below, or another record itself, which it is about.
const (
	theSession   memory.Kind = "session itself"
	theExecution memory.Kind = "execution itself" // other than what feedback gives the name of
)

// RecordRef is what those wait for that are about a record itself.
func RecordRef(kind memory.Kind, key string) PendingRef {
	switch kind {
	case memory.KindSession:
		kind = theSession
	case memory.KindExecution:
		kind = theExecution
	}
	return PendingRef{kind, key}
}

// Of is the kind of the record that is awaited.
func (a PendingRef) Of() memory.Kind {
	switch a.Kind {
	case theSession:
		return memory.KindSession
	case theExecution:
		return memory.KindExecution
	case Informed:
		return memory.KindEpisode
	}
	return a.Kind
}

// Session leads to an episode of a session, Execution to the episode that covers an execution.
const (
	Session   = memory.KindSession
	Execution = memory.KindExecution
)

// Informed leads an episode to one that informed it.
const Informed memory.Kind = "informed"

// Feedback is what leads feedback to its episode: the first that it names.
func Feedback(f *memory.Feedback) PendingRef {
	for _, named := range []struct {
		kind memory.Kind
		key  *string
	}{
		{memory.KindEpisode, f.EpisodeKey}, {Execution, f.AgentExecutionID}, {memory.KindCanvas, f.CanvasKey}, {Session, f.SessionKey},
	} {
		if named.key != nil {
			return PendingRef{named.kind, *named.key}
		}
	}
	return PendingRef{Kind: Session}
}
