package graph

import (
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// The bounds of time, for queries that ask for no other: an index gives its order only for a range.
var (
	Earliest = time.Date(-1, time.January, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// Feedback ranks by the mean score, or UnratedRank, which sorts an unrated episode after the worst, rated −1.
const (
	bestRank    = 1.0
	UnratedRank = -2.0
)

// Aggregates reads the point that the part derive makes: 0 where it is none, until the examination counts again. As of
// an instant it sums up what the part aggregates lists.
func Aggregates(value any) (actions int, sum float64, count int) {
	if then, ok := value.(map[string]any); ok {
		parts := bolt.FieldsOf(then)
		for _, n := range bolt.List[int64](parts, "actions") {
			actions += int(n)
		}
		scores := bolt.List[float64](parts, "scores")
		for _, score := range scores {
			sum += score
		}
		return actions, sum, len(scores)
	}
	p, _ := value.(neo4j.Point3D)
	return int(p.X), p.Y, int(p.Z)
}

// EpisodeShape is what the text of a query about episodes depends on; all else is a parameter. There are few
// shapes, so Neo4j's plan cache and ours hold them all.
type EpisodeShape struct {
	// Fixed is the property that the filter fixes and an index begins with, the most telling one; or "".
	Fixed string

	One                                   bool // episode by its key
	AsOf, After                           bool
	ByScore, ByCanvas                     bool // the filter has conditions on feedback, on canvases
	ByFeedback, OldestFirst               bool
	SameRank, LowerRank                   bool // the two stretches that go on in the order of feedback
	WithAgent, WithCanvases, WithFeedback bool
	HeadOnly                              bool // what an episode says is left out, but for its title
	Brief                                 bool // and here but for the beginnings of its texts
}

// Filter notes what a filter asks for and chooses the index for it.
func (s *EpisodeShape) Filter(f store.EpisodeFilter) {
	s.ByScore = f.MinFeedback != nil || f.MaxFeedback != nil
	s.ByCanvas = f.CanvasType != nil || f.CanvasAction != nil
	switch {
	case s.ByFeedback: // the index of that order begins with the rank
	case f.Session != nil:
		s.Fixed = "session"
	case f.User != nil && !f.Shared:
		s.Fixed = "user"
	case f.Agent != nil:
		s.Fixed = "agent"
	case f.TaskType != nil:
		s.Fixed = "taskType"
	}
}

// Parts notes what comes along with each episode.
func (s *EpisodeShape) Parts(p store.Parts) {
	s.HeadOnly, s.Brief = p.Has(store.HeadOnly), p.Has(store.Brief)
	s.WithAgent, s.WithCanvases, s.WithFeedback = p.Has(store.WithAgent), p.Has(store.WithCanvases), p.Has(store.WithFeedback)
}

// prefix are the properties that the index in use begins with.
func (s EpisodeShape) prefix() []string {
	switch {
	case s.ByFeedback:
		return []string{"tenant", "feedbackRank"}
	case s.Fixed != "":
		return []string{"tenant", s.Fixed}
	}
	return []string{"tenant"}
}

// InRank and BelowRank are where a list by feedback goes on: in the rank of the last record, by time,
// and in all ranks below.
func (s EpisodeShape) InRank() EpisodeShape { s.SameRank = true; return s }

// BelowRank is described with InRank.
func (s EpisodeShape) BelowRank() EpisodeShape { s.LowerRank = true; return s }

// Index names the properties of the index that gives the order.
func (s EpisodeShape) Index() string {
	return strings.Join(append(s.prefix(), "startedAt", "key"), ", ")
}

// Sort is the order of the index; naming its fixed beginning lets Neo4j see that it is. Keys ascend
// among equals whatever the direction.
func (s EpisodeShape) Sort() string {
	direction := " DESC"
	if s.OldestFirst {
		direction = ""
	}
	order := ""
	for _, property := range append(s.prefix(), "startedAt") {
		order += "e." + property + direction + ", "
	}
	return order + "e.key"
}

// FilterParameters are the values that a filter compares with. Until is exclusive, and times are whole milliseconds.
// What was known at an instant had begun, so that no index is read beyond.
func FilterParameters(f store.EpisodeFilter, asOf *time.Time) cypher.Parameters {
	since, until := memory.ValueOr(f.Since, Earliest), Latest
	if f.Until != nil {
		until = f.Until.Add(-time.Millisecond)
	}
	if asOf != nil && asOf.Before(until) {
		until = *asOf
	}
	return cypher.Parameters{
		"agent": f.Agent, "session": f.Session, "taskType": f.TaskType, "user": f.User, "shared": f.Shared, "outcomes": outcomes(f),
		"canvasType": f.CanvasType, "canvasAction": f.CanvasAction,
		"minFeedback": f.MinFeedback, "maxFeedback": f.MaxFeedback,
		"since": bolt.Instant(since), "until": bolt.Instant(until), "asOf": bolt.OptionalInstant(asOf),
	}
}

// outcomes are those that a filter lets pass; null lets all pass, where an empty list lets none.
func outcomes(f store.EpisodeFilter) any {
	if f.Outcome == nil && !f.OutcomeKnown {
		return nil
	}
	all := []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown}
	return slices.DeleteFunc(all, func(outcome memory.Outcome) bool {
		return f.Outcome != nil && outcome != *f.Outcome || f.OutcomeKnown && outcome == memory.OutcomeUnknown
	})
}

// ContextParameters bound what comes along with episodes.
func ContextParameters(values cypher.Parameters, asOf *time.Time) {
	values["contextLimit"] = memory.ContextLimit
	values["latest"] = bolt.Instant(Latest)
	if asOf != nil {
		values["latest"], values["asOf"] = bolt.Instant(*asOf), bolt.Instant(*asOf)
	}
}

// StartAfter makes the stretch of the index begin where the last page ended.
func StartAfter(values cypher.Parameters, form EpisodeShape, after *store.Position) {
	values["bestRank"] = bestRank
	if after == nil {
		return
	}
	at := bolt.Instant(after.At)
	values["afterAt"], values["afterKey"] = at, after.Key
	switch {
	case form.ByFeedback:
		values["afterRank"] = UnratedRank
		if after.Value != nil {
			values["afterRank"] = *after.Value
		}
	case form.OldestFirst:
		if since, ok := values["since"].(time.Time); ok && at.After(since) {
			values["since"] = at
		}
	default:
		if until, ok := values["until"].(time.Time); ok && at.Before(until) {
			values["until"] = at
		}
	}
}
