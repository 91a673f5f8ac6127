package store

import (
	"context"

	"mneme/memory"
)

// Eraser deletes for good. A tombstone stays of each record, by which Restore knows what not to bring back, and which
// says nothing of what it was. It keeps nobody from recording something new under the same key. Deletions go in parts,
// each a transaction after which all invariants hold and aggregates are right; what was broken off is gone on with by
// calling it again.
type Eraser interface {
	// Delete deletes those that are there of the records of a kind, in parts in the order of the keys, and says how many
	// there were. Keys of which there is no record leave nothing. ErrInvalid where it is none of these kinds:
	//   - An episode goes with its log, its links, its canvases and its feedback, of which tombstones stay too, and the
	//     sessions that become empty. What was caused by it stays, without the link. Feedback of others on its canvases
	//     stays too: its CanvasKey becomes null, and it waits for a canvas of that key again. The agent stays. Its
	//     execution leaves the profile, whose archive refills the window, and the profile goes with its last. What is held
	//     of the trace of its key goes too.
	//   - A canvas leaves the counts of its episode. Feedback on it stays where it is, and no longer names it.
	//   - A feedback leaves the aggregates of its episode.
	//   - A concept goes with its relations and its revisions; what mentions it, or is about it, stays without the link.
	//   - An observation, and a correction.
	//   - A verdict goes with its section where that has no other, and this with its run. What it said of an issue goes
	//     from patterns, too; what they count stays.
	//   - A section, and a run, go with their verdicts, of which tombstones stay too.
	//   - An execution that is no episode leaves its profile as that of an episode does. Those of episodes are skipped.
	//   - A memoir goes with its concepts, of which it says how many there were. Its tombstone comes with the first part
	//     and keeps concepts from being restored into it; it goes with the last, unless somebody added a concept in
	//     between. ErrNotFound where there is no such memoir.
	//   - An agent goes with its episodes, of which it says how many there were, and what goes with these, its executions,
	//     its profiles, and the observations that sum up its episodes (see consolidation.KeyPrefix). A tombstone stays of
	//     each, but of the profiles and the executions that episodes are. Feedback of others on its canvases no longer
	//     names them. Held spans of its episodes go, and those of every trace of which a held span names it or that would
	//     become its episode (see AgentTraces): what is no episode yet leaves the tombstone of the one that it would have
	//     been. The agent's tombstone comes with the first part, the agent goes with the last. Calling it again goes on
	//     with what was broken off, and says how many episodes were left. ErrNotFound where there is neither such an agent
	//     nor such a trace.
	//   - Of a person all feedback and corrections go that they created, and the labels that they gave to verdicts: it
	//     says how many there were. Tombstones stay of each feedback and correction and of the person; where nothing was
	//     ever recorded for the tenant a store may leave that out, rather than make one.
	//   - KindSpan is all that is held of traces, by their keys, readable or not: it says how many spans that were. It
	//     leaves no tombstone.
	Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error)
	// CountSaid says how many Delete would delete of a person.
	CountSaid(ctx context.Context, person string) (int, error)
}
