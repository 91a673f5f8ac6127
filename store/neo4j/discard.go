package neo4j

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/forgetting"
	"mneme/store/invariants"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/settings"
)

// Discard deletes those of some records that cannot be read; see store.Rebuilder. Deletions go along links, so that
// these are made anew first.
func (s *tenantStore) Discard(ctx context.Context, ids []string) (count int, err error) {
	err = invariants.Rebuild(ctx, nil, func(invariant string, tell func(int)) error {
		if _, counted := checks[invariant]; !counted {
			return nil
		}
		return s.mend(ctx, invariant, tell)
	})
	if err != nil {
		return 0, err
	}
	found, _, err := s.unreadable(ctx)
	if err != nil {
		return 0, err
	}
	var lost *store.Damaged
	// which asks the store: this process may know the key from before
	_, err = written(ctx, s, func(t *transaction) ([]byte, error) { return settings.EnsureInputKey(t.Transaction) })
	if errors.As(err, &lost) {
		found = append(found, lost)
	} else if err != nil {
		return 0, err
	}
	return forgetting.Discard(ctx, s, invariants.Chosen(found, ids))
}

// unreadable finds what cannot be read, and counts the rest. What others were writing is looked at again;
// see bolt.Rows.
func (s *tenantStore) unreadable(ctx context.Context) (found []*store.Damaged, count int, err error) {
	var damage store.Damage
	ctx = store.WithDamage(ctx, damage.Note)
	length, err := s.LengthOfMost(ctx)
	if err != nil {
		return nil, 0, err
	}
	err = s.exportRecords(ctx, length, func(store.Item) error {
		count++
		return nil
	})
	if err == nil {
		err = paged(s, cypher.Named("every_profile"), firstKey, bolt.Node(learning.ProfileOf))(ctx, unused)
	}
	if err == nil { // those of episodes, which no export has
		err = paged(s, cypher.Rendered("export_executions", ""), firstKey, bolt.Node(learning.ExecutionOf))(ctx, unused)
	}
	return damage.Found(), count, err
}

// unused takes what is read only so that what cannot be is told of.
func unused[T any](T) error { return nil }

// Anew writes anew or takes away what cannot be read; see forgetting.Discarder.
func (s *tenantStore) Anew(ctx context.Context, damaged *store.Damaged) (bool, error) {
	parts := memory.SplitKey(damaged.Key)
	switch damaged.Kind {
	case store.KindSpan:
		return true, s.ReleaseSpans(ctx, parts[0], parts[1:])
	case store.KindRelation:
		_, err := s.UnlinkConcepts(ctx, memory.Relation{Type: memory.RelationType(parts[0]), SourceKey: parts[1], TargetKey: parts[2]})
		return true, err
	case store.KindSetting:
		_, err := written(ctx, s, func(t *transaction) ([]byte, error) { return settings.MakeInputKey(t.Transaction) })
		return true, err
	}
	statement, ok := anew[damaged.Kind]
	if !ok {
		return false, nil
	}
	length, err := s.LengthOfMost(ctx)
	if err != nil {
		return true, err
	}
	return true, s.write(ctx, func(t *transaction) error {
		return t.Run(statement, cypher.Parameters{
			"key": damaged.Key, "nothing": cypher.Parameters{settings.VectorProperty(length): nil},
			"first": bolt.Instant(memory.EarliestTime), "last": bolt.Instant(time.Date(10000, 1, 1, 0, 0, 0, -1, time.UTC)),
		}, nil)
	})
}

// anew writes what cannot be read of records that stay, because others belong to them.
var anew = map[memory.Kind]cypher.Statement{
	store.KindEmbedding: cypher.Named("forget_vector"), memory.KindExecution: cypher.Named("forget_hash"),
	memory.KindAgent: cypher.Named("agent_anew"), memory.KindMemoir: cypher.Named("memoir_anew"), memory.KindRun: cypher.Named("run_anew"),
}
