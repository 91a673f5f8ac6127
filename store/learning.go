package store

import (
	"time"

	"mneme/memory"
)

// ExecutionRecord is an execution to be written. Archived is ignored. Its key does not begin with
// "episode:" (see memory.CheckExecutionKey).
//
// Record writes executions and counts them in their profiles. The agent comes into being with its first, named by its
// key. Recorded.Key is the execution's. An item's Err is ErrConflict where the key is taken by other content.
//
// An execution is recorded by itself, or is an episode: memory.ExecutionOf says which
// episodes are executions, and what they say then. Recording an episode adds the execution of an episode that is
// one, ConcludeEpisode that of one that becomes one, and Delete of the episode takes it away again, each in its own
// transaction, so that an episode counts exactly once, under any concurrency.
//
// What holds of profiles after every write:
//
//   - There is one for each agent and task type that has executions, and no other. It goes with its last
//     execution, and the agent stays.
//   - The counters are those of all its executions. The window holds the latest memory.WindowSize of them in
//     the order of (At, Key); whatever is older is archived. The rules are memory.LearningProfile's Add and
//     Remove, which package profiles applies: a write locks the profile, reads it, and writes it back.
//   - They are nodes: an execution has the link OF to its profile and, where it is an episode, FROM to that;
//     a profile has OF to its agent. Traverser finds them, archived or not, by memory.NodeID. ABOUT links that
//     have been waiting for an execution or a profile are made when it comes.
//
// As of an instant a profile has the executions with At ≤ AsOf and no others: counters, window, and which
// are archived are what they would be had only those been recorded; without any there is no profile. A
// profile whose latest execution is not after AsOf is the present one, and is answered by reading no more
// than that. What was deleted since is gone from every instant.
type ExecutionRecord struct {
	memory.Execution
	InputHash []byte `json:"inputHash,omitempty"`
}

// ExecutionsOf lists the executions of a profile, the latest first: in the order of (At, Key), backwards. An unknown
// profile has none. They are not counted, as the profile says how many there are.
type ExecutionsOf struct {
	Agent, TaskType string
	// Archived lists those that are archived instead of those in the window.
	Archived bool
	// AsOf, where set, answers as of that instant.
	AsOf *time.Time
}

// Place is by At and key; what follows is older by that order.
func (ExecutionsOf) Place(e *memory.Execution) Position { return Position{At: e.At, Key: e.Key} }

// ProfilesOf lists profiles, whole and by (agent, task type); nil means any, and an empty list none. Without AsOf no
// single execution is read. It is not counted.
type ProfilesOf struct {
	Agents    []string
	TaskTypes []string
	// AsOf, where set, answers as of that instant; the profiles' AsOf is then set to it.
	AsOf *time.Time
}

// Place is by the key of a profile.
func (ProfilesOf) Place(p *memory.LearningProfile) Position {
	return Position{Key: memory.ProfileKey(p.AgentKey, p.TaskType)}
}

// AgentRecordsOf lists the records of agents, whole and by agent; an agent that is not known is left out, one without
// executions has an empty list of tasks. Without AsOf the counters of profiles only are read. It is not counted.
type AgentRecordsOf struct {
	// Agents are those asked for; nil means every agent that is known, with or without executions.
	Agents []string
	// AsOf, where set, answers as of that instant: an agent is known then where it has an episode
	// (KnownAt ≤ AsOf) or an execution (At ≤ AsOf), and what it did later is left out.
	AsOf *time.Time
}

// Place is by agent.
func (AgentRecordsOf) Place(r *memory.AgentRecord) Position { return Position{Key: r.AgentKey} }

// OutcomesOf lists how episodes turned out, by (StartedAt, key), the oldest first, without what they say. It is not
// counted: an EpisodeQuery is.
type OutcomesOf struct{ Filter EpisodeFilter }

// Place is by StartedAt and key.
func (OutcomesOf) Place(o *memory.EpisodeOutcome) Position {
	return Position{At: o.StartedAt, Key: o.Key}
}

// CountsOf counts the episodes that pass a filter by the hour or day in UTC in which they began and by outcome: whole,
// in no order.
type CountsOf struct {
	Filter EpisodeFilter
	Bucket time.Duration
}

// Place is by the beginning of the bucket.
func (CountsOf) Place(c *memory.EpisodeCount) Position {
	return Position{At: c.At, Key: string(c.Outcome)}
}

// NamesOf says which names are asked for.
type NamesOf int

// The kinds of names.
const (
	TaskTypes    NamesOf = iota // of episodes and executions
	Judges                      // of verdicts
	SectionTypes                // of verdicts
)
