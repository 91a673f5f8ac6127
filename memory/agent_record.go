package memory

import "time"

// AgentRecord is what an agent has done in all, by task type. An agent without executions has no tasks.
type AgentRecord struct {
	AgentKey string
	Tasks    []TaskRecord // by task type
}

// TaskRecord sums up an agent's executions of one task type, the archived ones too.
type TaskRecord struct {
	TaskType          string
	Total, Successful int
	QualityBillionths int64 // as in LearningProfile
}

// EpisodeCount is how many episodes began within an hour or a day and ended in the same way, with all feedback on them.
type EpisodeCount struct {
	At            time.Time // the start of the hour or day, in UTC
	Outcome       Outcome
	Episodes      int
	Cost          float64 // of all
	FeedbackSum   float64
	FeedbackCount int
}

// EpisodeOutcome is how an episode turned out, without its contents.
type EpisodeOutcome struct {
	Key           string
	StartedAt     time.Time
	Outcome       Outcome
	FeedbackSum   float64
	FeedbackCount int
	// Interventions are the distinct sources, sorted, of the feedback on it with corrections that are not
	// empty and a score of 0 or below; not nil.
	Interventions []FeedbackSource
}
