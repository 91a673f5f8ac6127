package memory

import "time"

// Part says what of a record a passage is from.
type Part string

// The parts. All but CONTENT are of episodes.
const (
	PartTitle       Part = "TITLE"
	PartObservation Part = "OBSERVATION"
	PartThought     Part = "THOUGHT"
	PartAction      Part = "ACTION"
	PartEvent       Part = "EVENT"
	PartResult      Part = "RESULT"
	PartInsight     Part = "INSIGHT"
	PartContent     Part = "CONTENT" // what a record of another kind says
)

// Passage is a piece of a record's text, of at most about 80 words: the unit that is found.
type Passage struct {
	Part Part `json:"part"`
	// Position is which thought or action it is from, counted from 0, or the sequence of the event; else 0.
	Position int `json:"position"`
	// Step is the name of the action, or of what an event tells of; else empty.
	Step string `json:"step,omitempty"`
	// At is when it was said: an event's own time, else that of the record.
	At   time.Time `json:"-"`
	Text string    `json:"-"`
}
