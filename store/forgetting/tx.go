// Package forgetting deletes for good, in the same way in each store: it decides what goes with a record, an agent or a
// person, in which parts, and of what tombstones stay. A store finds and deletes.
package forgetting

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/profiles"
)

// Store is what a store does for this package.
type Store interface {
	// InputKey is as of store.Store.
	InputKey(ctx context.Context) ([]byte, error)
	// Exist is as of store.Traverser.
	Exist(ctx context.Context, ids []string) ([]bool, error)
	// Find finds the keys of what depends on a record, in the order in which it goes.
	Find(ctx context.Context, what Dependents, of string) ([]string, error)
	// FindTraces shows all spans that are held.
	FindTraces(ctx context.Context, to *store.AgentTraces) error
	// Loosen deletes links and logs of records that are about to be deleted, where they have more than a part takes.
	Loosen(ctx context.Context, kind memory.Kind, keys []string) error
	// Light finds the observations that weigh too little.
	Light(ctx context.Context, p *store.Pruning) ([]string, error)
	// Part writes a part. It may run several times.
	Part(ctx context.Context, do func(Tx) error) error
}

// Tx is a part under way. Each verb is for many records at once, and passes over what is not there.
type Tx interface {
	// Bury leaves tombstones of global ids. It waits for those who were admitted without them.
	Bury(ids ...string) error
	// Buried and Present are as of restoring.Tx.
	Buried(ids []string) (linking.KeySet, error)
	Present(ids []string) (linking.KeySet, error)
	// Hold locks canvases or feedback with their episodes and sessions.
	Hold(kind memory.Kind, keys []string) ([]Held, error)
	// Apply is as of linking.Tx.
	Apply(c *linking.Changes) error
	// DetachFeedback lets the feedback on canvases wait for such again, or no longer name them.
	DetachFeedback(keys []string, waitAgain bool) error
	// LockEpisodes locks episodes with what only they own.
	LockEpisodes(keys []string) (*Episodes, error)
	// DeleteEpisodes deletes episodes with their logs, canvases and feedback, what is held of the traces of their keys,
	// and what they were the last to use. Feedback of others on their canvases waits for such again. It gives the ids of
	// what the episodes owned.
	DeleteEpisodes(keys []string) (owned []string, err error)
	// ProfilesOf are the keys of the profiles of executions.
	ProfilesOf(executions []string) ([]string, error)
	// Learning is the part as package profiles has it.
	Learning() profiles.Tx
	// Unsay locks the sections and runs of verdicts, gives them, and takes what those said out of patterns.
	Unsay(verdicts []string) (sections, runs []string, err error)
	// Unlabel takes the labels of a person from verdicts, and says from how many.
	Unlabel(person string, verdicts []string) (int, error)
	// Idle locks agents, memoirs, sections or runs, so that nothing joins them, and gives those that have nothing.
	Idle(kind memory.Kind, keys []string) ([]string, error)
	// Delete deletes records of which nothing is counted elsewhere, with what they were the last to use.
	Delete(kind memory.Kind, keys []string) (int, error)
	// ForgetName takes an agent's name away, and says whether there is one.
	ForgetName(agent string) (bool, error)
	// DropTraces deletes what is held of traces, and says how many spans that were.
	DropTraces(traces []string) (int, error)
	// StillLight locks observations and their tombstones, and gives those that still weigh too little.
	StillLight(p *store.Pruning, keys []string) ([]string, error)
}

// Dependents names what depends on a record.
type Dependents string

// The dependents, and whose they are. The earliest episodes and executions come first: to take them out of a profile
// in that order does not touch its window until the end. Executions are those that are no episodes.
const (
	EpisodesOf        Dependents = "agent_episodes"
	ExecutionsOf      Dependents = "agent_executions"
	ConsolidatedOf    Dependents = "agent_consolidated" // observations, of a consolidation.KeyPrefix
	ConceptsOf        Dependents = "some_concepts"
	VerdictsOfSection Dependents = "section_verdicts"
	VerdictsOfRun     Dependents = "run_verdicts"
	FeedbackBy        Dependents = "said_feedback" // a person
	CorrectionsBy     Dependents = "said_corrections"
	VerdictsBy        Dependents = "said_verdicts" // which the person labelled
)

// MaxRecords bounds how many records a part deletes, but for what episodes own: what a part deletes is in memory until
// it is committed.
const MaxRecords = 1000

// Held is a canvas or a feedback that is locked.
type Held struct {
	Key     string
	Episode string // "" for none
	Actions int    // of a canvas
	Score   float64
	Counts  bool // of feedback: it was not replaced
}

// Episodes are locked episodes: those that are there, their canvases, their executions and the profiles of these.
type Episodes struct{ There, Canvases, Executions, Profiles []string }
