package memory

import "time"

// FeedbackType is the form in which a person reacted.
type FeedbackType string

// The closed set of feedback types.
const (
	FeedbackThumbsUp   FeedbackType = "THUMBS_UP"
	FeedbackThumbsDown FeedbackType = "THUMBS_DOWN"
	FeedbackRating     FeedbackType = "RATING"
)

// FeedbackSource is where a person reacted.
type FeedbackSource string

// The closed set of feedback sources.
const (
	SourceChat     FeedbackSource = "CHAT"
	SourceCanvas   FeedbackSource = "CANVAS"
	SourceWorkflow FeedbackSource = "WORKFLOW"
)

// Feedback is one person's reaction to an episode or to a canvas of it.
type Feedback struct {
	Key              string
	EpisodeKey       *string // null until its episode is known
	CanvasKey        *string // null until its canvas is known
	SessionKey       *string
	Type             FeedbackType
	Rating           *int    // 1…5, for RATING only
	Score            float64 // −1…1
	Corrections      *string
	Source           FeedbackSource
	AgentExecutionID *string
	CreatedBy        *string
	CreatedAt        time.Time
	Receipt          Receipt
}

// ID is the global id, feedback:key.
func (f *Feedback) ID() string { return NodeID(KindFeedback, f.Key) }
