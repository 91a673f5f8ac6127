package forgetting

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
	"mneme/store/profiles"
)

// episodesAtOnce is how many episodes a part deletes at most: some hundred milliseconds where they are long.
const episodesAtOnce = 100

// tracesAtOnce is of how many traces a part deletes what is held.
const tracesAtOnce = 10

// deletion is how episodes are deleted. Feedback of others on their canvases may wait for such again, else it no longer
// names them. Bury leaves tombstones.
type deletion struct{ waitAgain, bury bool }

// deleteEpisodes deletes episodes, in parts, of which some may go before the others: the tombstones come first.
func (m deletion) deleteEpisodes(ctx context.Context, s Store, keys []string) (count int, err error) {
	before := func(part []string) error {
		if m.bury {
			if err := s.Part(ctx, func(tx Tx) error { return tx.Bury(memory.NodeIDs(memory.KindEpisode, part)...) }); err != nil {
				return err
			}
		}
		return s.Loosen(ctx, memory.KindEpisode, part)
	}
	return parts(ctx, s, keys, episodesAtOnce, before, m.deleteWhole)
}

// deleteWhole deletes episodes with all that only they own.
func (m deletion) deleteWhole(tx Tx, keys []string) (int, error) {
	locked, err := tx.LockEpisodes(keys)
	if err != nil || len(locked.There) == 0 {
		return 0, err
	}
	if !m.waitAgain && len(locked.Canvases) > 0 {
		if err := tx.DetachFeedback(locked.Canvases, false); err != nil {
			return 0, err
		}
	}
	if _, err := profiles.Delete(tx.Learning(), locked.Profiles, locked.Executions); err != nil {
		return 0, err
	}
	owned, err := tx.DeleteEpisodes(locked.There)
	if err == nil && m.bury && len(owned) > 0 {
		err = tx.Bury(owned...)
	}
	return len(locked.There), err
}

// deleteAgent deletes what there is of an agent, and says how many episodes. What is recorded of it meanwhile stays,
// and the agent then too.
func deleteAgent(ctx context.Context, s Store, key string) (episodes int, err error) {
	traces := store.NewAgentTraces(key)
	if err := s.FindTraces(ctx, traces); err != nil {
		return 0, err
	}
	held := traces.Found()
	err = s.Part(ctx, func(tx Tx) error {
		if err := tx.Bury(memory.NodeID(memory.KindAgent, key)); err != nil {
			return err
		}
		there, err := tx.ForgetName(key)
		if err == nil && !there && len(held) == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	if err == nil {
		_, err = parts(ctx, s, held, tracesAtOnce, nothing, dropTraces)
	}
	if err != nil {
		return 0, err
	}
	// What there is now; traces that became episodes before they had their tombstones are among it. Of sums, who still
	// wrote about its episodes has done so by then; their tombstones keep out who would write from now on.
	return deleteWithDependents(ctx, s, memory.KindAgent, key,
		group{EpisodesOf, key, deletion{bury: true}.deleteEpisodes},
		group{ExecutionsOf, key, inParts(memory.KindExecution, executionsOf(&key))},
		group{ConsolidatedOf, consolidation.KeyPrefix(key), observationsInParts})
}

// dropTraces deletes what is held of traces that name an agent. Those that are no episodes by now never become any.
func dropTraces(tx Tx, traces []string) (int, error) {
	ids := memory.NodeIDs(memory.KindEpisode, traces)
	if _, err := tx.Buried(ids); err != nil { // which waits for those who were admitted, and may still write one
		return 0, err
	}
	there, err := tx.Present(ids)
	if err == nil {
		err = tx.Bury(slices.DeleteFunc(ids, there.Has)...)
	}
	if err != nil {
		return 0, err
	}
	return tx.DropTraces(traces)
}
