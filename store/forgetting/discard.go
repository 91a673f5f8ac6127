package forgetting

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/profiles"
)

// Discarder is what a store does for Discard.
type Discarder interface {
	Store
	store.Records
	// CountMissing counts the episodes that no profile counts.
	CountMissing(ctx context.Context) error
	// Anew writes anew what others belong to, and takes away what is no record: of an execution the hash of its input. It
	// says whether the kind is one of these.
	Anew(ctx context.Context, damaged *store.Damaged) (bool, error)
}

// Discard removes the unreadable, with what only it owns, and counts it. No tombstone stays: a backup may restore it.
func Discard(ctx context.Context, s Discarder, found []*store.Damaged) (count int, err error) {
	learned := false
	for _, damaged := range found {
		if err = discard(ctx, s, damaged); err != nil {
			break
		}
		count++
		learned = learned || damaged.Kind == memory.KindExecution || damaged.Kind == memory.KindLearningProfile
	}
	if learned {
		err = errors.Join(err, s.CountMissing(ctx))
	}
	return count, err
}

func discard(ctx context.Context, s Discarder, damaged *store.Damaged) error {
	keys, remove := []string{damaged.Key}, plain(damaged.Kind)
	switch damaged.Kind {
	case memory.KindEpisode:
		return errorOf(deletion{waitAgain: true}.deleteEpisodes(ctx, s, keys))
	case memory.KindCanvas, memory.KindFeedback:
		remove = taking(damaged.Kind, true)
	case memory.KindExecution:
		if found, err := store.Get[memory.Execution](ctx, s, keys); err != nil {
			return err
		} else if store.IsSound(found[0]) { // but for its hash
			_, err := s.Anew(ctx, damaged)
			return err
		}
		remove = executionsOf(nil)
	case memory.KindLearningProfile:
		if _, _, ok := memory.SplitProfileKey(damaged.Key); ok {
			remove = func(tx Tx, _ []string) (int, error) { return 1, profiles.SumUp(tx.Learning(), damaged.Key, true) }
		}
	default:
		if done, err := s.Anew(ctx, damaged); done || err != nil {
			return err
		}
	}
	return s.Part(ctx, func(tx Tx) error { return errorOf(remove(tx, keys)) })
}
