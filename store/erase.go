package store

import (
	"context"

	"mneme/memory"
)

// Eraser deletes for good. A tombstone stays of each record, by which Restore knows what not to bring back, and which
// says nothing of what it was. It keeps nobody from recording something new under the same key. Deletions go in parts, each a
// transaction after which all invariants hold and aggregates are right; what was broken off is gone on with by
// calling it again.
type Eraser interface {
	// Delete deletes those that are there of the records of a kind, in parts in the order of the keys, and says how
	// many there were. Keys of which there is no record leave nothing. ErrInvalid where it is none of these kinds:
	//   - An episode goes with its log, its links, its canvases and its feedback, of which tombstones stay too,
	//     and the sessions that nothing is in any more. What was caused by it stays, without the link. Feedback of
	//     others on its canvases stays too: its CanvasKey becomes null, and it waits for a canvas of that key
	//     again. The agent stays. Its execution leaves the profile, whose archive refills the window, and the
	//     profile goes with its last. What is held of the trace of its key goes too.
	//   - A canvas leaves the counts of its episode. Feedback on it stays where it is, and no longer names it.
	//   - A feedback leaves the aggregates of its episode.
	//   - A concept goes with its relations and its revisions; what mentions it, or is about it, stays without the link.
	//   - An observation, and a correction.
	//   - A verdict goes with its section where that has no other, and this with its run. What it said of an issue goes
	//     from patterns, too; what they count stays.
	//   - A section, and a run, go with their verdicts, of which tombstones stay too.
	//   - An execution that is no episode leaves its profile as that of an episode does. Those of episodes are passed over.
	Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error)
	// DeleteMemoir deletes a memoir with its concepts, and says how many of those there were. Its tombstone comes with
	// the first part and keeps concepts from being restored into it; it goes with the last. ErrNotFound where
	// there is no such memoir.
	DeleteMemoir(ctx context.Context, key string) (concepts int, err error)
	// DeleteAgent deletes an agent for good, with its episodes and what Delete deletes with them,
	// its executions, its profiles, and the observations that sum up its episodes (see
	// consolidation.KeyPrefix), and says how many episodes there were. A tombstone stays of each, but of the
	// profiles and the executions that episodes are. Feedback of others on its canvases no longer names
	// them. Held spans of its episodes go, and those of every trace of which a held span names it or that
	// would become its episode (see AgentTraces): what is no episode yet leaves the tombstone of the one that
	// it would have been. A store may do it in parts, each a transaction after which all invariants hold and
	// aggregates are right: the agent's tombstone comes with the first, the agent goes with the last. What was
	// broken off is gone on with by calling it again, which then says how many episodes were left. ErrNotFound
	// where there is neither such an agent nor such a trace.
	DeleteAgent(ctx context.Context, key string) (episodes int, err error)
	// DeletePerson deletes for good all feedback and all corrections that a person created, and the labels
	// that the person gave to verdicts, and says how many there were; tombstones stay of each feedback and
	// correction and of the person; where nothing was ever recorded for
	// the tenant a store may leave that out, rather than make one.
	DeletePerson(ctx context.Context, person string) (int, error)
	// CountSaid says how many DeletePerson would delete.
	CountSaid(ctx context.Context, person string) (int, error)
	// Forgotten says of which global ids there are tombstones.
	Forgotten(ctx context.Context, ids []string) ([]bool, error)
}

// Known are those of keys of a kind of which a store has a record to delete, each once, in their order. The executions
// that episodes are go with these.
func Known(ctx context.Context, s Traverser, kind memory.Kind, keys []string) ([]string, error) {
	there, err := s.Exist(ctx, memory.NodeIDs(kind, keys))
	if err != nil {
		return nil, err
	}
	known, seen := make([]string, 0, len(keys)), make(map[string]bool, len(keys))
	for i, key := range keys {
		ofEpisode := kind == memory.KindExecution && (&memory.Execution{Key: key}).EpisodeKey() != nil
		if there[i] && !seen[key] && !ofEpisode {
			seen[key] = true
			known = append(known, key)
		}
	}
	return known, nil
}
