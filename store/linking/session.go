package linking

import (
	"cmp"
	"slices"
	"time"

	"mneme/memory"
)

// What is looked at of a session in one write is bounded.
const (
	// Reach is how long before the start of an episode that which belongs to it may have come.
	Reach = 24 * time.Hour
	// Window is how many of the episodes that started last at a time may hold it.
	Window = 100
	// MaxReassigned is how many records are decided on anew when episodes arrive, the earliest first. Neo4j holds what
	// each of them changes until the transaction ends, and twice that when it does.
	MaxReassigned = 2000
	// LinkedTogether is how many records one transaction of a backfill decides on, and on Neo4j one round of statements,
	// whose memory grows with them and is free again when the next round begins.
	LinkedTogether = 1000
)

// Span is an episode of a session.
type Span struct {
	Key       string
	User      string // "" for nobody
	StartedAt time.Time
	EndedAt   *time.Time
	CreatedAt time.Time
	Concluded bool
	Later     bool // it was recorded open, and concluded later
	// Shown is when the last canvas was shown at or before the time that is picked for, of those in the session that name
	// no other episode. Only that of the next episode counts.
	Shown *time.Time
}

// SpanOf is what the rule needs of an episode.
func SpanOf(e *memory.Episode) Span {
	return Span{
		Key: e.Key, User: memory.OrZero(e.UserID), StartedAt: e.StartedAt, EndedAt: e.EndedAt, CreatedAt: e.CreatedAt, Concluded: e.Concluded, Later: e.ConcludedLater,
	}
}

// atItsEnd says whether it was recorded when its work was done, without saying when that was: its start is when it
// was recorded.
func (s *Span) atItsEnd() bool {
	return s.Concluded && !s.Later && s.EndedAt == nil && s.StartedAt.Equal(s.CreatedAt)
}

// over says whether it is known to have ended before a time after its start that it does not hold.
func (s *Span) over() bool { return s.EndedAt != nil || s.atItsEnd() }

// shownSince says whether a canvas of the episode was shown after another was over.
func (s *Span) shownSince(other *Span) bool {
	end := memory.ValueOr(other.EndedAt, other.StartedAt)
	return s.Shown != nil && s.Shown.After(end) && !s.Shown.Before(Since(s.StartedAt))
}

// compare orders episodes by their start, those that started together by key.
func (s *Span) compare(other *Span) int {
	return cmp.Or(s.StartedAt.Compare(other.StartedAt), cmp.Compare(s.Key, other.Key))
}

// later prefers the later start, and of those that started together the first by key.
func (s *Span) later(other *Span) bool {
	return other == nil || s.StartedAt.After(other.StartedAt) || s.StartedAt.Equal(other.StartedAt) && s.Key < other.Key
}

// Pick is the rule for what names a session only: to which of the session's episodes a canvas or a feedback of a time
// belongs, nil where it waits.
//
//   - It is the one that holds the time (the latest started where several do; an open end holds nothing).
//   - What was shown after an episode that is over, and at most Reach before one that was recorded at the end of its
//     work without times, is of that work. So is feedback after a canvas of that work was shown.
//   - Else it is the latest that started at or before the time.
//   - Else it is the first, where that started at most Reach later.
//
// Of those that started together it is the first by key. Of all episodes a store may give these alone: of the Window
// that started last those that hold the time, the latest that started at or before it, and the next.
func Pick(kind memory.Kind, at time.Time, session []Span) *Span {
	holding, started, next := around(at, session)
	inReach := next != nil && !at.Before(Since(next.StartedAt))
	switch {
	case holding != nil:
		return holding
	case inReach && next.atItsEnd() && started != nil && started.StartedAt.Before(at) && started.over() &&
		(kind == memory.KindCanvas || next.shownSince(started)):
		return next
	case started != nil:
		return started
	case inReach:
		return next
	}
	return nil
}

// PickLate is the rule of Backfill: that of Pick, but for what would still wait the first episode, however much later
// it started.
func PickLate(kind memory.Kind, at time.Time, session []Span) *Span {
	if picked := Pick(kind, at, session); picked != nil {
		return picked
	}
	_, _, next := around(at, session)
	return next
}

func around(at time.Time, session []Span) (holding, started, next *Span) {
	for i := range session {
		e := &session[i]
		if e.StartedAt.After(at) {
			if next == nil || e.compare(next) < 0 {
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
	return holding, started, next
}

// Since is the time of the oldest record that may belong to an episode of a start.
func Since(startedAt time.Time) time.Time { return startedAt.Add(-Reach) }

// Neighbours are when the episodes of its session around one that arrives started, of its user or of nobody: the last
// before it, and the first after it.
type Neighbours struct{ Before, Next *time.Time }

// Interval is a part of a session's time, Until exclusive.
type Interval struct{ From, Until time.Time }

// Latest is after all times.
var Latest = time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC)

// Affected is where in its session's time an episode that arrives may change what Pick says of records: what came after
// the one before, in reach, until the next, or its own end.
func Affected(e *Span, n Neighbours) Interval {
	s := Interval{From: Since(e.StartedAt), Until: Latest}
	if n.Before != nil && n.Before.After(s.From) {
		s.From = *n.Before
	}
	if n.Next != nil {
		s.Until = *n.Next
	}
	if e.EndedAt != nil && !e.EndedAt.Before(s.Until) {
		s.Until = e.EndedAt.Add(time.Millisecond)
	}
	return s
}

// AffectedByChange is where in its session's time an episode that was there already may change what Pick says, as its
// start or its end becomes another, with its neighbours at its start as it was and as it is.
func AffectedByChange(was, is *Span, before, after Neighbours) []Interval {
	sameEnd := was.EndedAt == is.EndedAt || was.EndedAt != nil && is.EndedAt != nil && was.EndedAt.Equal(*is.EndedAt)
	if sameEnd && was.StartedAt.Equal(is.StartedAt) && was.atItsEnd() == is.atItsEnd() {
		return nil
	}
	return Join([]Interval{Affected(was, before), Affected(is, after)})
}

// Join makes one interval of those that overlap or touch, and leaves out the empty ones.
func Join(intervals []Interval) (joined []Interval) {
	slices.SortFunc(intervals, func(a, b Interval) int { return a.From.Compare(b.From) })
	for _, s := range intervals {
		last := len(joined) - 1
		switch {
		case !s.From.Before(s.Until):
		case last < 0 || s.From.After(joined[last].Until):
			joined = append(joined, s)
		case s.Until.After(joined[last].Until):
			joined[last].Until = s.Until
		}
	}
	return joined
}
