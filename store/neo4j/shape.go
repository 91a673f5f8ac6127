package neo4j

import (
	"strings"
	"sync"
	"time"

	"mneme/memory"
	"mneme/store"
)

// shape is what the text of a query about episodes depends on; all else is a parameter. There are few
// shapes in use, so Neo4j's plan cache and ours hold them all.
type shape struct {
	Agent, Session, TaskType, Outcome, CanvasType, CanvasAction, MinFeedback, MaxFeedback bool

	AsOf, After                           bool
	ByFeedback, OldestFirst               bool
	WithAgent, WithCanvases, WithFeedback bool
	Lexical, Vector                       bool
}

func (s *shape) filter(f store.EpisodeFilter) {
	s.Agent, s.Session, s.TaskType, s.Outcome = f.Agent != nil, f.Session != nil, f.TaskType != nil, f.Outcome != nil
	s.CanvasType, s.CanvasAction = f.CanvasType != nil, f.CanvasAction != nil
	s.MinFeedback, s.MaxFeedback = f.MinFeedback != nil, f.MaxFeedback != nil
}

func (s *shape) parts(p store.Parts) {
	s.WithAgent, s.WithCanvases, s.WithFeedback = p.Has(store.WithAgent), p.Has(store.WithCanvases), p.Has(store.WithFeedback)
}

// prefix are the properties that the index in use begins with: the tenant, and the most telling of
// what the filter fixes.
func (s shape) prefix() []string {
	switch {
	case s.ByFeedback:
		return []string{"tenant", "feedbackRank"}
	case s.Session:
		return []string{"tenant", "session"}
	case s.Agent:
		return []string{"tenant", "agent"}
	case s.TaskType:
		return []string{"tenant", "taskType"}
	}
	return []string{"tenant"}
}

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

var shaped sync.Map // texts of queries by shapedQuery

type shapedQuery struct {
	name  string
	shape shape
}

// text gives the text of a query in this shape.
func (s shape) text(name string) (string, error) {
	if text, found := shaped.Load(shapedQuery{name, s}); found {
		if text, ok := text.(string); ok {
			return text, nil
		}
	}
	text, err := expand(name, s)
	if err == nil {
		shaped.Store(shapedQuery{name, s}, text)
	}
	return text, err
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
