package memory

import (
	"slices"
	"time"

	"mneme/memory/stats"
)

// JSON is a JSON value as its text, compact and with sorted keys; nil is null.
type JSON []byte

// MarshalJSON gives the text itself, null for nil.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON keeps a copy of the text; null becomes nil.
func (j *JSON) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*j = nil
		return nil
	}
	*j = append((*j)[:0:0], text...)
	return nil
}

// Outcome says how an episode ended.
type Outcome string

// The outcomes. UNKNOWN may be concluded once, to either of the others.
const (
	OutcomeSuccess Outcome = "SUCCESS"
	OutcomeFailure Outcome = "FAILURE"
	OutcomeUnknown Outcome = "UNKNOWN"
)

// Grade is 1 for SUCCESS, 0 for FAILURE, and nil where the outcome is unknown.
func (o Outcome) Grade() *float64 {
	switch o {
	case OutcomeSuccess:
		return new(1.0)
	case OutcomeFailure:
		return new(0.0)
	}
	return nil
}

// Agent is who does the work. It comes into being with its first episode.
type Agent struct {
	Key string `json:"key"`
	// Name is for people; the key where none was given.
	Name string `json:"name"`
}

// ID is the global id, agent:key.
func (a *Agent) ID() string { return NodeID(KindAgent, a.Key) }

// Session ties episodes, canvases and feedback of one conversation together. It comes into being
// with the first record that names it and goes with the last.
type Session struct{ Key string }

// ID is the global id, session:key.
func (s *Session) ID() string { return NodeID(KindSession, s.Key) }

// Action is one step an agent took and what came of it.
type Action struct {
	StepID   *string `json:"stepId,omitempty"`
	StepName string  `json:"stepName"`
	Result   JSON    `json:"result,omitempty"`
}

// Event is one entry of a run's log. Sequence counts from 0 in the order of the log.
type Event struct {
	Sequence int       `json:"-"`
	Type     string    `json:"type"`
	Data     JSON      `json:"data,omitempty"`
	At       time.Time `json:"at"`
}

// SegmentKind says what ended a segment.
type SegmentKind string

// The kinds of segment.
const (
	SegmentTask SegmentKind = "task" // ended by the completion of a task
	SegmentGap  SegmentKind = "gap"  // ended by a pause of more than 30 minutes
	SegmentRest SegmentKind = "rest" // what was left when the log ended
)

// Valid says whether the word is one of the closed set.
func (k SegmentKind) Valid() bool { return k == SegmentTask || k == SegmentGap || k == SegmentRest }

// Segment is a stretch of an episode without a long pause, or up to the completion of a task.
type Segment struct {
	Kind      SegmentKind `json:"kind"`
	Text      string      `json:"text"`
	StartedAt time.Time   `json:"startedAt"`
	EndedAt   *time.Time  `json:"endedAt,omitempty"`
}

// Redaction counts what was taken out of a record's text, by kind ("private").
type Redaction struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Receipt says what the write boundary did to a record's text. Tokens are estimated as
// ceil(bytes/4), the usual rule of thumb for English.
type Receipt struct {
	TokensBefore int         `json:"tokensBefore"`
	TokensAfter  int         `json:"tokensAfter"`
	Redactions   []Redaction `json:"redactions"`
}

// Episode is one experience: the situation an agent met, what it thought and did, and what came of it.
type Episode struct {
	Key         string   `json:"key"`
	Title       string   `json:"title"`
	AgentKey    string   `json:"agent"`
	SessionKey  *string  `json:"session,omitempty"`
	TaskType    *string  `json:"taskType,omitempty"`
	UserID      *string  `json:"userId,omitempty"` // for whom the work was; null for nobody in particular
	Observation string   `json:"observation"`      // the situation, the text recall weighs most
	Thoughts    []string `json:"thoughts,omitempty"`
	Actions     []Action `json:"actions,omitempty"`
	Result      *string  `json:"result,omitempty"` // null while nothing came of it yet
	Outcome     Outcome  `json:"outcome"`
	Insight     string   `json:"insight"` // why it worked or failed; never empty
	// ExecutionIDs are the caller's own names for the executions this episode covers; feedback may
	// name one of them instead of the episode.
	ExecutionIDs []string   `json:"executionIds,omitempty"`
	StartedAt    time.Time  `json:"startedAt"`
	EndedAt      *time.Time `json:"endedAt,omitempty"` // never made up: null until the caller says
	CreatedAt    time.Time  `json:"createdAt"`
	Segments     []Segment  `json:"segments,omitempty"`
	Metadata     JSON       `json:"metadata,omitempty"`
	Receipt      Receipt    `json:"receipt"`
	// Quality in 0…1 is the caller's; null where it follows from the outcome.
	Quality *float64 `json:"quality,omitempty"`
	// Cost is what the work cost, 0 or more; null where nobody said. It has no currency of its own: it is a number in the
	// caller's currency, one currency in all of a tenant, for it is added up.
	Cost *float64 `json:"cost,omitempty"`
	// Concluded says that the outcome is final: it was known when recorded, or concludeEpisode set it.
	Concluded bool `json:"concluded"`
	// ConcludedLater says that it was recorded before its outcome was known, so that it was under way then.
	ConcludedLater bool `json:"concludedLater,omitempty"`

	// Embedding is the vector for recall; nil where there is none. Written, and read only for export.
	Embedding []float32 `json:"embedding,omitempty"`

	// FeedbackSum and FeedbackCount aggregate the scores of all feedback linked to the episode (or
	// what was known at an asOf). The store keeps them in the transaction that links the feedback.
	FeedbackSum   float64 `json:"-"`
	FeedbackCount int     `json:"-"`
	// CanvasActionCount counts the actions of all canvases presented in the episode.
	CanvasActionCount int `json:"-"`

	// Context holds linked records that a read was asked to bring along; nil otherwise.
	Context *EpisodeContext `json:"-"`
}

// ContextLimit is the number of canvases and of feedback that come along with an episode, the newest.
const ContextLimit = 100

// EpisodeContext is what was read along with an episode. A nil field was not asked for.
type EpisodeContext struct {
	// Declined says that a list is empty because the reader did not want it, whatever the episode has. The ids of
	// what would be in it are here, where the reader wanted them.
	Declined               bool
	CanvasIDs, FeedbackIDs []string
	// AsOf is set where the episode is an answer as of an instant: what is read on from it holds only what was known then.
	AsOf     *time.Time
	Agent    *Agent
	Canvases []*Canvas   // newest first by (CreatedAt, Key), at most ContextLimit
	Feedback []*Feedback // newest first by (CreatedAt, Key), at most ContextLimit
}

// MaxCost is the most that an episode costs, so that a sum of a million of them still has its cents.
const MaxCost = 1e9

// Check says what is wrong with when an episode ended, its numbers, and the keys of what led to it.
func (e *Episode) Check(causes, informing []string) error {
	switch {
	case e.EndedAt != nil && e.EndedAt.Before(e.StartedAt):
		return Invalid("endedAt", "is before startedAt")
	case e.Quality != nil && !(*e.Quality >= 0 && *e.Quality <= 1): // not a number is not
		return Invalid("quality", "must be from 0 to 1")
	case e.Cost != nil && !(*e.Cost >= 0 && *e.Cost <= MaxCost):
		return Invalid("cost", "must be from 0 to %.0f", MaxCost)
	case slices.Contains(causes, e.Key):
		return Invalid("causedBy", "an episode cannot cause itself")
	case slices.Contains(informing, e.Key):
		return Invalid("informedBy", "an episode cannot inform itself")
	}
	return nil
}

// EndAs gives the episode the ending of another.
func (e *Episode) EndAs(other *Episode) {
	e.Outcome, e.Concluded, e.EndedAt, e.Quality, e.Cost = other.Outcome, other.Concluded, other.EndedAt, other.Quality, other.Cost
}

// CheckCause says what is wrong with an episode, which began at a time, as a cause of this one.
func (e *Episode) CheckCause(cause string, startedAt time.Time) error {
	if startedAt.After(e.StartedAt) {
		return Invalid("causedBy", "%s began after the episode that it is to have caused", NodeID(KindEpisode, cause))
	}
	return nil
}

// ID is the global id, episode:key.
func (e *Episode) ID() string { return NodeID(KindEpisode, e.Key) }

// SessionID is the global id of the session, nil where there is none.
func (e *Episode) SessionID() *string { return OptionalID(KindSession, e.SessionKey) }

// KnownAt is the instant from which an answer as of a time includes the episode: endedAt ?? startedAt.
func (e *Episode) KnownAt() time.Time { return ValueOr(e.EndedAt, e.StartedAt) }

// DurationSeconds is the time from start to end; nil while the end is unknown.
func (e *Episode) DurationSeconds() *float64 {
	if e.EndedAt == nil {
		return nil
	}
	return new(float64(e.EndedAt.UnixMilli()-e.StartedAt.UnixMilli()) / 1000) // a time.Duration ends after 292 years
}

// AggregateFeedbackScore is the mean score of the episode's feedback in −1…1; nil where there is none.
func (e *Episode) AggregateFeedbackScore() *float64 {
	return stats.Mean(e.FeedbackSum, e.FeedbackCount)
}

// OptionalID is the global id of a record that there may be; nil where there is none.
func OptionalID(kind Kind, key *string) *string {
	if key == nil {
		return nil
	}
	return new(NodeID(kind, *key))
}

// Complete says whether all canvases and all feedback of the episode came along, not just the newest.
func (c *EpisodeContext) Complete() bool {
	return c.AllCanvases() && c.Feedback != nil && len(c.Feedback) < ContextLimit
}

// AllCanvases says whether all canvases of the episode came along, not just the newest.
func (c *EpisodeContext) AllCanvases() bool {
	return c != nil && !c.Declined && c.Canvases != nil && len(c.Canvases) < ContextLimit
}
