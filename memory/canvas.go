package memory

import (
	"cmp"
	"time"
)

// CanvasActionKind is what happened to a canvas.
type CanvasActionKind string

// The closed set of canvas actions.
const (
	CanvasPresent CanvasActionKind = "PRESENT"
	CanvasClose   CanvasActionKind = "CLOSE"
	CanvasSubmit  CanvasActionKind = "SUBMIT"
	CanvasUpdate  CanvasActionKind = "UPDATE"
	CanvasExecute CanvasActionKind = "EXECUTE"
)

// CanvasState is what the actions of a canvas say about the person who saw it.
type CanvasState string

// The states of the canvas observation model.
const (
	StatePresented     CanvasState = "PRESENTED"
	StateClosedQuickly CanvasState = "CLOSED_QUICKLY"
	StateClosedSlowly  CanvasState = "CLOSED_SLOWLY"
	StateFormSubmitted CanvasState = "FORM_SUBMITTED"
	StateErrorShown    CanvasState = "ERROR_SHOWN"
)

// The canvas types that are called by a name of their own. The vocabulary is open: a user's own component is
// CanvasGeneric with its componentType.
const (
	CanvasGeneric  = "generic"
	CanvasDocs     = "docs"
	CanvasEmail    = "email"
	CanvasSheets   = "sheets"
	CanvasTerminal = "terminal"
	CanvasCharts   = "charts"
	CanvasForms    = "forms"
)

// CanvasAction is one thing that happened to a canvas.
type CanvasAction struct {
	// ID is the caller's own name for the action, for re-sending it safely; empty where none was given.
	ID       string           `json:"id,omitempty"`
	Action   CanvasActionKind `json:"action"`
	Metadata JSON             `json:"metadata,omitempty"`
	At       time.Time        `json:"at"`
}

// MaxShown is how many bytes the actions of a canvas have at most, of metadata and eachShown beside it: who reads a
// canvas reads them all, and an export writes them in one line.
const (
	MaxShown  = 4 << 20
	eachShown = 1 << 10
)

// Fits is LIMIT_EXCEEDED at canvasId where the action has no room beside so many others with so many bytes of metadata.
func (a *CanvasAction) Fits(others, bytes int) error {
	if bytes+len(a.Metadata)+(others+1)*eachShown > MaxShown {
		return LimitExceeded("canvasId", "is of a canvas whose actions fill the %d MiB that are kept of one: go on with another canvas", MaxShown>>20)
	}
	return nil
}

// Shown is how many bytes of metadata the canvas's actions have.
func (c *Canvas) Shown() (bytes int) {
	for i := range c.Actions {
		bytes += len(c.Actions[i].Metadata)
	}
	return bytes
}

// Canvas is something an agent showed to a person. States, dwell time, reward and metadata follow
// from its actions and are computed, never stored.
type Canvas struct {
	Key           string         `json:"key"`
	EpisodeKey    *string        `json:"episode,omitempty"` // null until its episode is known
	SessionKey    *string        `json:"session,omitempty"`
	CanvasType    string         `json:"canvasType"`
	ComponentType *string        `json:"componentType,omitempty"`
	UserID        *string        `json:"userId,omitempty"` // where nobody said, it is of its episode's user
	Actions       []CanvasAction `json:"actions"`          // by time, those of one instant in the order in which they arrived
}

// ID is the global id, canvas:key.
func (c *Canvas) ID() string { return NodeID(KindCanvas, c.Key) }

// Waiting says whether it counts nowhere so far, as its episode is not known: it is linked when that is.
func (c *Canvas) Waiting() bool { return c.EpisodeKey == nil }

// SessionID is the global id of the session, nil where there is none.
func (c *Canvas) SessionID() *string { return OptionalID(KindSession, c.SessionKey) }

// CreatedAt is the time of the first action.
func (c *Canvas) CreatedAt() time.Time {
	if len(c.Actions) == 0 {
		return time.Time{}
	}
	return c.Actions[0].At
}

// NewestCanvasFirst compares by the first action, then by key.
func NewestCanvasFirst(a, b *Canvas) int {
	return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(a.Key, b.Key))
}
