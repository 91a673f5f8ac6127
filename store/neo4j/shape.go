package neo4j

import (
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
)

// shape is what the text of a query about episodes depends on; all else is a parameter. There are few
// shapes, so Neo4j's plan cache and ours hold them all.
type shape struct {
	// Fixed is the property that the filter fixes and an index begins with, the most telling one; or "".
	Fixed string

	One                                   bool // episode by its key
	AsOf, After                           bool
	ByScore, ByCanvas                     bool // the filter has conditions on feedback, on canvases
	ByFeedback, OldestFirst               bool
	SameRank, LowerRank                   bool // the two stretches that go on in the order of feedback
	WithAgent, WithCanvases, WithFeedback bool
	Lexical, Vector                       bool
	Filtered                              bool // whether any condition is set
	Marked                                bool // the text index finds what passes the filter
}

// filter notes what a filter asks for and chooses the index for it.
func (s *shape) filter(f store.EpisodeFilter) {
	s.ByScore = f.MinFeedback != nil || f.MaxFeedback != nil
	s.ByCanvas = f.CanvasType != nil || f.CanvasAction != nil
	switch {
	case s.ByFeedback: // the index of that order begins with the rank
	case f.Session != nil:
		s.Fixed = "session"
	case f.Agent != nil:
		s.Fixed = "agent"
	case f.TaskType != nil:
		s.Fixed = "taskType"
	}
}

func (s *shape) parts(p store.Parts) {
	s.WithAgent, s.WithCanvases, s.WithFeedback = p.Has(store.WithAgent), p.Has(store.WithCanvases), p.Has(store.WithFeedback)
}

// prefix are the properties that the index in use begins with.
func (s shape) prefix() []string {
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
func (s shape) InRank() shape { s.SameRank = true; return s }

// BelowRank is described with InRank.
func (s shape) BelowRank() shape { s.LowerRank = true; return s }

// Index names the properties of the index that gives the order.
func (s shape) Index() string { return strings.Join(append(s.prefix(), "startedAt", "key"), ", ") }

// Sort is the order of the index; naming its fixed beginning lets Neo4j see that it is. Keys ascend
// among equals whatever the direction.
func (s shape) Sort() string {
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

// filterParameters are the values that a filter compares with. Until is exclusive, and times are whole
// milliseconds.
func filterParameters(f store.EpisodeFilter) parameters {
	since, until := earliest, latest
	if f.Since != nil {
		since = *f.Since
	}
	if f.Until != nil {
		until = f.Until.Add(-time.Millisecond)
	}
	return parameters{
		"agent": f.Agent, "session": f.Session, "taskType": f.TaskType, "outcome": f.Outcome,
		"canvasType": f.CanvasType, "canvasAction": f.CanvasAction,
		"minFeedback": f.MinFeedback, "maxFeedback": f.MaxFeedback,
		"since": instant(since), "until": instant(until),
	}
}

// contextParameters bound what comes along with episodes.
func contextParameters(values parameters, asOf *time.Time) {
	values["contextLimit"] = memory.ContextLimit
	values["latest"] = instant(latest)
	if asOf != nil {
		values["latest"], values["asOf"] = instant(*asOf), instant(*asOf)
	}
}
