package memory

import (
	"cmp"
	"strings"
	"time"
)

// MaxLatencyMs is the longest latency that is kept, about three years. It lets the latencies of 90,000
// executions be summed up exactly.
const MaxLatencyMs = 1e11

// Execution is one piece of work of an agent and how well it went.
type Execution struct {
	Key       string    `json:"key"`
	AgentKey  string    `json:"agent"`
	TaskType  string    `json:"taskType"`
	Success   bool      `json:"success"`
	Quality   float64   `json:"quality"`             // 0…1
	LatencyMs *float64  `json:"latencyMs,omitempty"` // 0…MaxLatencyMs; null where it was not measured
	At        time.Time `json:"at"`
	// Archived says that it is older than those in its profile's window. It is set by the store.
	Archived bool `json:"-"`
}

// ID is the global id, execution:key.
func (e *Execution) ID() string { return NodeID(KindExecution, e.Key) }

// Check says what is wrong with the numbers of an execution that was kept.
func (e *Execution) Check() error {
	switch {
	case !(e.Quality >= 0 && e.Quality <= 1): // not a number is not
		return Invalid("quality", "must be from 0 to 1")
	case e.LatencyMs != nil && !(*e.LatencyMs >= 0 && *e.LatencyMs <= MaxLatencyMs):
		return Invalid("latencyMs", "must be from 0 to %v", MaxLatencyMs)
	}
	return CheckTime("at", e.At)
}

// episodeExecution precedes an episode's key in the key of its execution.
const episodeExecution = string(KindEpisode) + ":"

// EpisodeKey is the key of the episode that is this execution, nil where it was recorded by itself.
func (e *Execution) EpisodeKey() *string {
	if key, ok := strings.CutPrefix(e.Key, episodeExecution); ok {
		return &key
	}
	return nil
}

// EpisodeExecutionKey is the key of the execution that an episode is: its global id.
func EpisodeExecutionKey(episode string) string { return episodeExecution + episode }

// CheckExecutionKey says what is wrong with a key chosen by a client for an execution, or returns nil: see
// CheckKey, and what begins with "episode:" belongs to the episodes.
func CheckExecutionKey(field, key string) error {
	if strings.HasPrefix(key, episodeExecution) {
		return Invalid(field, "begins with %q, which is kept for the executions of episodes", episodeExecution)
	}
	return CheckKey(field, key)
}

// ExecutionOf is the execution that an episode is, nil where it is none: one with a task type that ended in SUCCESS or
// FAILURE. Quality is the episode's, else 1 for SUCCESS and 0 for FAILURE; the latency is its duration, null while the
// end is unknown and where it is above MaxLatencyMs; the time is endedAt ?? startedAt.
func ExecutionOf(e *Episode) *Execution {
	quality := e.Graded()
	if e.TaskType == nil || quality == nil {
		return nil
	}
	execution := &Execution{
		Key: EpisodeExecutionKey(e.Key), AgentKey: e.AgentKey, TaskType: *e.TaskType,
		Success: e.Outcome == OutcomeSuccess, Quality: *quality, At: e.KnownAt(),
	}
	if seconds := e.DurationSeconds(); seconds != nil && *seconds*1000 <= MaxLatencyMs {
		execution.LatencyMs = new(float64(e.EndedAt.UnixMilli() - e.StartedAt.UnixMilli()))
	}
	return execution
}

// Graded is how well an episode went, in 0…1: its quality, else what follows from the outcome; nil where
// that is unknown.
func (e *Episode) Graded() *float64 {
	if grade := e.Outcome.Grade(); grade == nil || e.Quality == nil {
		return grade
	}
	return e.Quality
}

// CompareExecutions orders by (At, Key), the older first.
func CompareExecutions(a, b *Execution) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key))
}
