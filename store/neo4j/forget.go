package neo4j

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// Forgotten says of which ids there are tombstones; see store.Eraser.
func (s *tenantStore) Forgotten(ctx context.Context, ids []string) ([]bool, error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return nil, err
	}
	keys := graph.TombstoneKeys(inputKey, ids)
	there, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("tombstones"), cypher.Parameters{"keys": keys}), bolt.Column[string]("key"))
	if err != nil {
		return nil, err
	}
	known, found := graph.SetOf(there...), make([]bool, len(ids))
	for i, key := range keys {
		found[i] = known.Has(key)
	}
	return found, nil
}

// deleteFeedback deletes feedback, takes it out of its episodes' aggregates, and says how much was there.
func (t *transaction) deleteFeedback(keys []string) (deleted int, err error) {
	ends, known := linking.NewScope(), []string{}
	err = t.Rows(cypher.Named("feedback_ends"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		known = append(known, f.Text("key"))
		ends.Episodes.AddOptional(f.OptionalText("episode"))
		ends.Sessions.AddOptional(f.OptionalText("session"))
	})
	if err != nil {
		return 0, err
	}
	if _, err := t.Lock(ends); err != nil {
		return 0, err
	}
	reactions, err := t.Reactions(known)
	if err != nil {
		return 0, err
	}
	c := linking.NewChanges()
	for _, key := range graph.SortedKeys(reactions) {
		r := reactions[key]
		if r.Episode != nil && !ends.Episodes.Has(*r.Episode) {
			return 0, &bolt.Raced{Cause: graph.ErrGone} // it got an episode while we waited for its lock
		}
		c.LinkFeedback(r, nil)
	}
	if err := t.Apply(c); err != nil {
		return 0, err
	}
	return deleting(memory.KindFeedback)(t, keys)
}

// DeletePerson deletes what a person said, in parts; see store.Eraser.
func (s *tenantStore) DeletePerson(ctx context.Context, person string) (count int, err error) {
	if _, err := s.InputKey(ctx); err != nil {
		return 0, err
	}
	if err := s.write(ctx, func(t *transaction) error { return t.bury(memory.KindPerson, person) }); err != nil {
		return 0, err
	}
	for _, kind := range saidKinds {
		said, err := s.saidBy(ctx, kind, person)
		if err != nil {
			return count, err
		}
		forget := forgetting[kind]
		if kind == memory.KindVerdict { // which stays
			forget = func(ctx context.Context, s *tenantStore, keys []string) (int, error) {
				return s.unlabel(ctx, person, keys)
			}
		}
		gone, err := forget(ctx, s, said)
		if count += gone; err != nil {
			return count, err
		}
	}
	return count, nil
}

// saidKinds are those of the records that a person has a part in.
var saidKinds = []memory.Kind{memory.KindFeedback, memory.KindCorrection, memory.KindVerdict}

// CountSaid counts what a person said; see store.Eraser.
func (s *tenantStore) CountSaid(ctx context.Context, person string) (count int, err error) {
	for _, kind := range saidKinds {
		said, err := s.saidBy(ctx, kind, person)
		if err != nil {
			return 0, err
		}
		count += len(said)
	}
	return count, nil
}

// saidBy are the keys of the records of a kind that a person created, or of the verdicts that they labelled.
func (s *tenantStore) saidBy(ctx context.Context, kind memory.Kind, person string) ([]string, error) {
	by := "createdBy"
	if kind == memory.KindVerdict {
		by = "labelledBy"
	}
	asked := cypher.Rendered("created_by", saidShape{Label: graph.Labels[kind], By: by})
	keys, err := bolt.Read(ctx, s.Connection, s.Query(asked, cypher.Parameters{"person": person}), bolt.Column[string]("key"))
	slices.Sort(keys)
	return keys, err
}

// saidShape is which records a person has a part in, and by which property.
type saidShape struct{ Label, By string }

// unlabel takes a person's labels from verdicts, in parts, and says from how many.
func (s *tenantStore) unlabel(ctx context.Context, person string, verdicts []string) (count int, err error) {
	for keys := range slices.Chunk(verdicts, maxDeleted) {
		labels, err := written(ctx, s, func(t *transaction) ([]int64, error) {
			return bolt.RowsOf(t.Transaction, cypher.Named("unlabel"), cypher.Parameters{"person": person, "keys": keys}, bolt.Column[int64]("labels"))
		})
		if err != nil {
			return count, err
		}
		count += int(labels[0])
	}
	return count, nil
}
