package memory

import (
	"cmp"
	"time"
)

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
	Key        string  `json:"key"`
	EpisodeKey *string `json:"episode,omitempty"` // null until its episode is known
	CanvasKey  *string `json:"canvas,omitempty"`  // null until its canvas is known
	SessionKey *string `json:"session,omitempty"`
	UserID     *string `json:"userId,omitempty"` // where nobody said, it is of its episode's user
	Reaction
	Replaces   *string    `json:"replaces,omitempty"`   // the earlier feedback whose place it took
	ReplacedAt *time.Time `json:"replacedAt,omitempty"` // when a later one took its place; it counts until then
	Receipt    Receipt    `json:"receipt"`
}

// Reaction is what is said of a feedback everywhere in the same words: in lines of an export, and to agents.
type Reaction struct {
	Type             FeedbackType   `json:"type"`
	Rating           *int           `json:"rating,omitempty"`      // 1…5; beside a thumb where it does not contradict
	Score            float64        `json:"score"`                 // −1…1
	Corrections      *string        `json:"corrections,omitempty"` // what should have been done instead
	Comment          *string        `json:"comment,omitempty"`     // praise or criticism that says nothing of that
	Source           FeedbackSource `json:"source"`
	AgentExecutionID *string        `json:"agentExecutionId,omitempty"`
	CreatedBy        *string        `json:"createdBy,omitempty"`
	CreatedAt        time.Time      `json:"createdAt"`
}

// ID is the global id, feedback:key.
func (f *Feedback) ID() string { return NodeID(KindFeedback, f.Key) }

// Waiting says whether it counts nowhere so far, as its episode is not known: it is linked when that is.
func (f *Feedback) Waiting() bool { return f.EpisodeKey == nil }

// Check says what is wrong with the rating and the score of a feedback that was kept.
func (f *Feedback) Check() error {
	score, err := FeedbackScore(f.Type, f.Rating)
	if err == nil && score != f.Score {
		err = Invalid("score", "is not that of the type and rating")
	}
	return err
}

// FeedbackScore is the score of a reaction: thumbs up +1, thumbs down −1, a rating of 1…5 −1, −0.5, 0, 0.5, 1. A thumb
// decides the score alone, also beside a rating: it is the form in which the person chose to react. The rating is kept
// beside it where it does not contradict: 3 to 5 with a thumb up, 1 to 3 with one down. FeedbackScore returns an
// INVALID_INPUT *Error at "rating" where a rating is missing, out of range or contradicts, and at "type" for an unknown
// type.
func FeedbackScore(t FeedbackType, rating *int) (float64, error) {
	stars := 0.0 // what the rating alone would be worth
	switch {
	case !t.Valid():
		return 0, Invalid("type", "must be THUMBS_UP, THUMBS_DOWN or RATING")
	case rating == nil && t == FeedbackRating:
		return 0, Invalid("rating", "is needed for RATING, from 1 to 5")
	case rating != nil && (*rating < 1 || *rating > 5):
		return 0, Invalid("rating", "is %d; it goes from 1 to 5", *rating)
	case rating != nil:
		stars = float64(*rating-3) / 2
	}
	score := map[FeedbackType]float64{FeedbackThumbsUp: 1, FeedbackThumbsDown: -1, FeedbackRating: stars}[t]
	if score*stars < 0 {
		return 0, Invalid("rating", "is %d, which contradicts %s: 3 to 5 go with THUMBS_UP, 1 to 3 with THUMBS_DOWN", *rating, t)
	}
	return score, nil
}

// NewestFeedbackFirst compares by time, then by key.
func NewestFeedbackFirst(a, b *Feedback) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
}
