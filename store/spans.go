package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
)

// HeldSpan is a span that waits until its trace is complete, cleaned as it will be kept.
type HeldSpan struct {
	Trace string       `json:"trace"`
	Span  capture.Span `json:"span"`
	// Receipt says what the write boundary did to the span's texts.
	Receipt memory.Receipt `json:"receipt"`
	// ByUserKey says that it comes by a key of its user alone.
	ByUserKey bool `json:"bound,omitempty"`
}

// Fits says whether it may be held beside spans of some users, "" for none: by a key of one user only beside their own.
func (h *HeldSpan) Fits(beside []string) bool {
	return !h.ByUserKey || !slices.ContainsFunc(beside, func(user string) bool { return user != h.Span.User })
}

// Decode reads a span of a trace as it was kept; see memory.JSONOf. It is for stores.
func (h *HeldSpan) Decode(trace, id string, data memory.JSON) error {
	if err := memory.CheckKeptJSON(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, h); err != nil {
		return err
	}
	if h.Trace != trace || h.Span.ID != id {
		return errors.New("is another span")
	}
	return h.Span.Check("span")
}

// DueTraces lists traces of which nothing has arrived for a while, by the arrival of their latest span, oldest first,
// then by trace, from the first on. It is not counted.
type DueTraces struct {
	// EndedBefore: the root is held, or an episode has the trace as its key already, and the latest of the
	// held spans arrived at or before this.
	EndedBefore time.Time
	// SilentBefore is the same for all other traces.
	SilentBefore time.Time
	// RetryBefore leaves out traces that are put off until later.
	RetryBefore time.Time
	// SetBack is later than now: traces whose latest span arrived after it are due, as the clock was set back meanwhile.
	SetBack time.Time
}

// Place is by trace.
func (DueTraces) Place(t *DueTrace) Position { return Position{Key: t.Trace} }

// DueTrace is a trace of which nothing has arrived for a while, and how often it could not be made an episode.
type DueTrace struct {
	Trace    string
	Failures int
}

// SpansOf lists what is held of a trace, that which ends it first, then by ID, from the first on: at most as many as
// together are not more than Bytes, and at least one. Count tells of all that is held, readable or not.
type SpansOf struct {
	Trace string
	Bytes int
}

// Fits says of the lengths of spans, in order, which of them are on a page of so many.
func (q SpansOf) Fits(limit int) func(bytes int) bool {
	spans, sum := 0, 0
	return func(bytes int) bool {
		spans, sum = spans+1, sum+bytes
		return spans == 1 || spans <= limit && sum <= q.Bytes
	}
}

// Place is by ID.
func (SpansOf) Place(h *HeldSpan) Position { return Position{Key: h.Span.ID} }

// TraceFailure says that a trace could not be made an episode. Record keeps it while spans of the trace are held.
type TraceFailure struct {
	Trace    string
	Failures int // so far
	// RetryAt is until when it is put off.
	RetryAt time.Time
	// Reason is why it failed last, for people.
	Reason string
}

// ManyFailures is how often a trace fails before it is a fault: once or twice may be chance.
const ManyFailures = 3

// TraceRoom is how much of a trace is kept, in spans and in bytes of their JSON.
type TraceRoom struct{ Spans, Bytes int }

// spareRoom is the share of the room that is kept for those that say how a trace began and ended: they arrive last.
const spareRoom = 8

// Take makes room for a span of some bytes beside what is used already, and says whether there was any. For
// those that end a trace or are a run there is an eighth more.
func (r TraceRoom) Take(used *TraceRoom, span *capture.Span, bytes int) bool {
	if span.Ends() || span.IsRun() {
		r = r.Whole()
	}
	if used.Spans >= r.Spans || used.Bytes+bytes > r.Bytes {
		return false
	}
	used.Spans, used.Bytes = used.Spans+1, used.Bytes+bytes
	return true
}

// Whole is the room with what is kept for runs.
func (r TraceRoom) Whole() TraceRoom {
	return TraceRoom{Spans: r.Spans + r.Spans/spareRoom, Bytes: r.Bytes + r.Bytes/spareRoom}
}

// SpanStore holds the spans of traces that are not episodes yet. They are no nodes of the graph, and
// nothing finds them. A span that arrives after its trace became an episode is held again.
type SpanStore interface {
	// HoldSpans keeps spans as arrived at a time. One that is held already, by trace and ID, stays as it is,
	// with the time of its first arrival. The others must fit (see TraceRoom.Take, in order) beside what is
	// held of their trace already and what the log of its episode has (see also HeldSpan.Fits). Left are the indexes of
	// those that do not, which are not kept. On Neo4j writers at the same time may each fill the same room.
	HoldSpans(ctx context.Context, spans []HeldSpan, at time.Time, room TraceRoom) (left []int, err error)
	// ReleaseSpans deletes some of a trace's held spans; of those that are not held it says nothing.
	ReleaseSpans(ctx context.Context, trace string, spans []string) error
}

// WholeEpisode is an episode, however it was recorded, with what its amendment asks for. All of it belongs together: no
// amendment comes in between. To get one that cannot be read is Damaged.
type WholeEpisode struct {
	Episode   *memory.Episode
	Events    []memory.Event // the whole log
	InputHash []byte
	Parts     bool // the log came in parts
}

// EpisodeAmendment changes what an episode says, because more became known of it.
type EpisodeAmendment struct {
	// Episode says what is to be kept under its Key: title, observation, thoughts, actions, result, outcome,
	// Concluded, insight, quality, end, segments, metadata, receipt, and the embedding unless it is nil.
	// What else it holds is ignored: the agent, the session, the task type, the executions, the start and the
	// creation stay, and so does everything that is linked. An outcome is set once: where the episode is
	// Concluded, its outcome, its end and its quality stay too.
	Episode memory.Episode
	// Events replaces the log, and InputHash what identifies the content.
	Events    []memory.Event
	InputHash []byte
	// WasHash and WasConcluded are what the episode must still have.
	WasHash      []byte
	WasConcluded bool
	// Logged, where it is above 0, leaves a log that came in parts (see AppendEvents) as it is: it must still have so
	// many events. The episode then begins when Episode says.
	Logged int
}

// Start is when the amended episode begins, given when it did.
func (a *EpisodeAmendment) Start(was time.Time) time.Time {
	if a.Logged > 0 {
		return a.Episode.StartedAt
	}
	return was
}
