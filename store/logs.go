package store

import (
	"fmt"

	"mneme/memory"
)

// The most that a log which comes in parts may have: events, and bytes of their types and data.
const (
	MaxLogEvents = 100_000
	MaxLogBytes  = 64 << 20
)

// LogPart is a part of the log of a run.
type LogPart struct {
	// Episode is the key of the run's episode, and InputHash that with which it was recorded.
	Episode   string
	InputHash []byte
	// Events are by Sequence, each number once.
	Events []LoggedEvent
	// Kept says that the events are an export's: they are taken although the episode is concluded.
	Kept bool
}

// LoggedEvent is an event with what the write boundary did to its texts.
type LoggedEvent struct {
	memory.Event
	Receipt memory.Receipt
}

// Log is how much there is of a log that comes in parts.
type Log struct {
	Events int
	Bytes  int
	// Last is the highest number, −1 where there is none, and LastType that event's type.
	Last      int
	LastType  string
	Concluded bool // its episode is
	// Added is how many events the call added.
	Added int
}

// Whole says that no number is missing up to the last.
func (l *Log) Whole() bool { return l.Events > 0 && l.Events == l.Last+1 }

// Size is how many bytes an event counts.
func (e *LoggedEvent) Size() int { return len(e.Type) + len(e.Data) }

// ErrLogEnded is ErrConflict for what is new to the log of an episode that is concluded.
var ErrLogEnded = fmt.Errorf("%w: the log has its end", ErrConflict)

// EventConflict is ErrConflict for an event: there is another under its number.
type EventConflict struct{ Sequence int }

// Error names the number.
func (e *EventConflict) Error() string {
	return fmt.Sprintf("event %d exists with other content", e.Sequence)
}

// Unwrap says what kind of error it is.
func (e *EventConflict) Unwrap() error { return ErrConflict }

// LogTooLong is what an append meets for which there is no room.
type LogTooLong struct{ Events, Bytes int }

// Error says how long the log would be.
func (e *LogTooLong) Error() string {
	return fmt.Sprintf("the log would have %d events of %d bytes", e.Events, e.Bytes)
}

// Unwrap says what kind of error it is.
func (e *LogTooLong) Unwrap() error { return ErrInvalid }

// EventItem is an event of a log that came in parts, as an export hands it over. InputHash is the episode's.
type EventItem struct {
	Episode   string
	InputHash []byte
	memory.Event
}
