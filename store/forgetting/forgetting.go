package forgetting

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/profiles"
)

// Delete deletes records of a kind, in parts; see store.Eraser.
func Delete(ctx context.Context, s Store, kind memory.Kind, keys []string) (int, error) {
	forget, can := forgetting[kind]
	if !can {
		return 0, fmt.Errorf("%w: a %s is not deleted by its key", store.ErrInvalid, kind)
	}
	if kind != store.KindSpan { // which leaves no tombstones
		if _, err := s.InputKey(ctx); err != nil {
			return 0, err
		}
	}
	return forget(ctx, s, keys)
}

// A forgetter deletes in parts, a remover does so within one. They say how many there were.
type (
	forgetter func(ctx context.Context, s Store, keys []string) (int, error)
	remover   func(tx Tx, keys []string) (int, error)
)

// forgetting deletes what is of a kind.
var forgetting = map[memory.Kind]forgetter{
	memory.KindAgent:       each(deleteAgent),
	memory.KindPerson:      each(deletePerson),
	memory.KindMemoir:      each(deleteMemoir),
	memory.KindEpisode:     known(memory.KindEpisode, deletion{waitAgain: true, bury: true}.deleteEpisodes),
	memory.KindSection:     known(memory.KindSection, judged(memory.KindSection, VerdictsOfSection)),
	memory.KindRun:         known(memory.KindRun, judged(memory.KindRun, VerdictsOfRun)),
	memory.KindVerdict:     known(memory.KindVerdict, verdictsInParts),
	memory.KindExecution:   known(memory.KindExecution, inParts(memory.KindExecution, executionsOf(nil))),
	memory.KindCanvas:      known(memory.KindCanvas, inParts(memory.KindCanvas, taking(memory.KindCanvas, false))),
	memory.KindFeedback:    known(memory.KindFeedback, feedbackInParts),
	memory.KindConcept:     known(memory.KindConcept, conceptsInParts),
	memory.KindObservation: known(memory.KindObservation, observationsInParts),
	memory.KindCorrection:  known(memory.KindCorrection, correctionsInParts),
	store.KindSpan: func(ctx context.Context, s Store, traces []string) (int, error) {
		return parts(ctx, s, traces, tracesAtOnce, nothing, Tx.DropTraces)
	},
}

var (
	feedbackInParts     = inParts(memory.KindFeedback, taking(memory.KindFeedback, false))
	verdictsInParts     = inParts(memory.KindVerdict, deleteVerdicts)
	conceptsInParts     = inParts(memory.KindConcept, plain(memory.KindConcept))
	observationsInParts = inParts(memory.KindObservation, plain(memory.KindObservation))
	correctionsInParts  = inParts(memory.KindCorrection, plain(memory.KindCorrection))
)

// each deletes one after the other.
func each(forget func(ctx context.Context, s Store, key string) (int, error)) forgetter {
	return func(ctx context.Context, s Store, keys []string) (count int, err error) {
		for _, key := range keys {
			gone, err := forget(ctx, s, key)
			if count += gone; err != nil {
				return count, err
			}
		}
		return count, nil
	}
}

// known deletes those records that are there, each once. The executions that episodes are go with these.
func known(kind memory.Kind, forget forgetter) forgetter {
	return func(ctx context.Context, s Store, keys []string) (int, error) {
		there, err := s.Exist(ctx, memory.NodeIDs(kind, keys))
		if err != nil {
			return 0, err
		}
		found, seen := make([]string, 0, len(keys)), linking.KeySet{}
		for i, key := range keys {
			ofEpisode := kind == memory.KindExecution && (&memory.Execution{Key: key}).EpisodeKey() != nil
			if there[i] && !seen.Has(key) && !ofEpisode {
				seen.Add(key)
				found = append(found, key)
			}
		}
		return forget(ctx, s, found)
	}
}

// inParts deletes records in parts, each with its tombstones.
func inParts(kind memory.Kind, remove remover) forgetter {
	return func(ctx context.Context, s Store, keys []string) (int, error) {
		loosen := func(part []string) error { return s.Loosen(ctx, kind, part) }
		return parts(ctx, s, keys, MaxRecords, loosen, burying(kind, remove))
	}
}

// burying leaves tombstones of records before these are deleted.
func burying(kind memory.Kind, remove remover) remover {
	return func(tx Tx, keys []string) (int, error) {
		if err := tx.Bury(memory.NodeIDs(kind, keys)...); err != nil {
			return 0, err
		}
		return remove(tx, keys)
	}
}

// parts does something to some keys at a time, and adds up what it answers. They are sorted: so every writer locks
// them. A part that is too much for one transaction of the store is done in halves.
func parts(ctx context.Context, s Store, keys []string, most int, before func([]string) error, do remover) (count int, err error) {
	for part := range slices.Chunk(keys, most) {
		part := slices.Sorted(slices.Values(part))
		if err := before(part); err != nil {
			return count, err
		}
		gone := 0
		err := s.Part(ctx, func(tx Tx) (err error) {
			gone, err = do(tx, part)
			return err
		})
		switch {
		case len(part) > 1 && errors.Is(err, store.ErrTooMuch):
			gone, err = parts(ctx, s, part, (len(part)+1)/2, nothing, do)
		case err != nil:
			gone = 0
		}
		if count += gone; err != nil {
			return count, err
		}
	}
	return count, nil
}

// nothing is done before a part.
func nothing([]string) error { return nil }

// plain deletes records of which nothing is counted elsewhere.
func plain(kind memory.Kind) remover {
	return func(tx Tx, keys []string) (int, error) { return tx.Delete(kind, keys) }
}

// taking takes canvases or feedback out of what episodes count, and deletes it. WaitAgain says whether feedback on
// canvases waits for such again, or no longer names them.
func taking(kind memory.Kind, waitAgain bool) remover {
	return func(tx Tx, keys []string) (int, error) {
		held, err := tx.Hold(kind, keys)
		if err != nil {
			return 0, err
		}
		c := linking.NewChanges()
		for _, h := range held {
			switch {
			case kind == memory.KindCanvas:
				c.Moves.Canvas(h.Episode, h.Actions, "", 0)
			case h.Counts:
				c.Moves.Feedback(h.Episode, "", h.Score)
			}
		}
		if kind == memory.KindCanvas {
			if err := tx.DetachFeedback(keys, waitAgain); err != nil {
				return 0, err
			}
		}
		if err := tx.Apply(c); err != nil {
			return 0, err
		}
		return tx.Delete(kind, keys)
	}
}

// executionsOf deletes executions that are no episodes, of one agent where that is given.
func executionsOf(agent *string) remover {
	return func(tx Tx, keys []string) (int, error) {
		of, err := tx.ProfilesOf(keys)
		if err != nil {
			return 0, err
		}
		if agent != nil {
			of = slices.DeleteFunc(of, func(key string) bool {
				whose, _, _ := memory.SplitProfileKey(key)
				return whose != *agent
			})
			if len(of) == 0 {
				return 0, nil
			}
		}
		return profiles.Delete(tx.Learning(), of, keys)
	}
}

// judged deletes sections or runs with their verdicts; those that have none, too.
func judged(kind memory.Kind, verdicts Dependents) forgetter {
	return each(func(ctx context.Context, s Store, key string) (int, error) {
		_, err := deleteWithDependents(ctx, s, kind, key, group{verdicts, key, verdictsInParts})
		return 1, err
	})
}

// group is what depends on a record, and how that is deleted.
type group struct {
	what   Dependents
	of     string
	forget forgetter
}

// deleteWithDependents deletes what depends on a record now, and then the record, unless something joined it meanwhile.
// It says how many there were of the first group.
func deleteWithDependents(ctx context.Context, s Store, kind memory.Kind, key string, groups ...group) (first int, err error) {
	for i, g := range groups {
		gone, keys := 0, []string(nil)
		if keys, err = s.Find(ctx, g.what, g.of); err == nil {
			gone, err = g.forget(ctx, s, keys)
		}
		if i == 0 {
			first = gone
		}
		if err != nil {
			return first, err
		}
	}
	return first, s.Part(ctx, func(tx Tx) error { return deleteIdle(tx, kind, []string{key}) })
}

// deleteVerdicts deletes verdicts, and then the sections and runs that have no others.
func deleteVerdicts(tx Tx, keys []string) (int, error) {
	sections, runs, err := tx.Unsay(keys)
	if err != nil {
		return 0, err
	}
	gone, err := tx.Delete(memory.KindVerdict, keys)
	if err == nil {
		err = deleteIdle(tx, memory.KindSection, sections)
	}
	if err == nil {
		err = deleteIdle(tx, memory.KindRun, runs)
	}
	return gone, err
}

// deleteIdle deletes those of some records that have nothing.
func deleteIdle(tx Tx, kind memory.Kind, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	idle, err := tx.Idle(kind, keys)
	if err != nil || len(idle) == 0 {
		return err
	}
	return errorOf(burying(kind, plain(kind))(tx, idle))
}

// deleteMemoir deletes a memoir with its concepts. Its tombstone comes first, it goes last. What is added to it in
// between stays, and the memoir then too.
func deleteMemoir(ctx context.Context, s Store, key string) (concepts int, err error) {
	there, err := s.Exist(ctx, memory.NodeIDs(memory.KindMemoir, []string{key}))
	if err == nil && !there[0] {
		err = store.ErrNotFound
	}
	if err == nil {
		err = s.Part(ctx, func(tx Tx) error { return tx.Bury(memory.NodeID(memory.KindMemoir, key)) })
	}
	if err != nil {
		return 0, err
	}
	return deleteWithDependents(ctx, s, memory.KindMemoir, key, group{ConceptsOf, key, conceptsInParts})
}

// deletePerson deletes what a person said, and takes the labels from verdicts.
func deletePerson(ctx context.Context, s Store, person string) (int, error) {
	err := s.Part(ctx, func(tx Tx) error { return tx.Bury(memory.NodeID(memory.KindPerson, person)) })
	if err != nil {
		return 0, err
	}
	return eachSaid(ctx, s, person, func(what Dependents, said []string) (int, error) {
		switch what {
		case FeedbackBy:
			return feedbackInParts(ctx, s, said)
		case CorrectionsBy:
			return correctionsInParts(ctx, s, said)
		}
		return parts(ctx, s, said, MaxRecords, nothing, func(tx Tx, verdicts []string) (int, error) { return tx.Unlabel(person, verdicts) })
	})
}

// CountSaid counts what a person said; see store.Eraser.
func CountSaid(ctx context.Context, s Store, person string) (int, error) {
	return eachSaid(ctx, s, person, func(_ Dependents, said []string) (int, error) { return len(said), nil })
}

// eachSaid hands out what a person said, and adds up what is answered.
func eachSaid(ctx context.Context, s Store, person string, do func(what Dependents, said []string) (int, error)) (count int, err error) {
	for _, what := range []Dependents{FeedbackBy, CorrectionsBy, VerdictsBy} {
		said, err := s.Find(ctx, what, person)
		if err != nil {
			return count, err
		}
		n, err := do(what, said)
		if count += n; err != nil {
			return count, err
		}
	}
	return count, nil
}

// Prune deletes the observations that weigh too little; see store.Annotations.
func Prune(ctx context.Context, s Store, p *store.Pruning) (int, error) {
	light, err := s.Light(ctx, p)
	if err == nil {
		_, err = s.InputKey(ctx)
	}
	if err != nil {
		return 0, err
	}
	return parts(ctx, s, light, MaxRecords, nothing, func(tx Tx, keys []string) (int, error) {
		still, err := tx.StillLight(p, keys) // others may have been read meanwhile
		if err != nil || len(still) == 0 {
			return 0, err
		}
		return burying(memory.KindObservation, plain(memory.KindObservation))(tx, still)
	})
}

func errorOf(_ int, err error) error { return err }
