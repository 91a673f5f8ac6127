package neo4j

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/settings"
)

// lasting finds what cannot be read, in the same way again when it is looked at once more: others may have been
// writing it.
func (s *tenantStore) lasting(ctx context.Context) (found []*store.Damaged, count int, err error) {
	first, count, err := s.unreadable(ctx)
	if err != nil || len(first) == 0 {
		return nil, count, err
	}
	found, count, err = s.unreadable(ctx)
	return store.StillDamaged(first, found), count, err
}

// Discard deletes those of some records that cannot be read; see store.Rebuilder. Deletions go along links, so that these
// are made anew first.
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
	found, _, err := s.lasting(ctx)
	if err != nil {
		return 0, err
	}
	var lost *store.Damaged
	err = s.write(ctx, func(t *transaction) error { // which asks the store: this process may know the key from before
		_, err := settings.EnsureInputKey(t.Transaction)
		return err
	})
	if errors.As(err, &lost) {
		found = append(found, lost)
	} else if err != nil {
		return 0, err
	}
	for _, damaged := range invariants.Chosen(found, ids) {
		if err := s.discard(ctx, damaged); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// unreadable finds what cannot be read, and counts the rest.
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
		err = s.exportPages(cypher.Named("every_profile"), cypher.Parameters{"after": ""}, readProfile)(ctx, nil)
	}
	return damage.Found(), count, err
}

// readProfile reads a row of the statement every_profile, so that one that cannot be read is told.
func readProfile(row *neo4j.Record) (store.Item, error) {
	node, err := bolt.Column[neo4j.Node]("p")(row)
	if err != nil {
		return nil, err
	}
	f := &bolt.Fields{Node: node}
	key := f.Key(memory.KindLearningProfile) // its own columns may say otherwise
	p := learning.WholeProfileOf(f)
	if agent, taskType, _ := memory.SplitProfileKey(key); f.Err == nil && (p.AgentKey != agent || p.TaskType != taskType) {
		f.Of(memory.KindLearningProfile, key)
		f.Check("agent or taskType", errors.New("is another than in the key"))
	}
	return nil, f.Err
}

// mostMended is how many profiles are summed up anew for a deletion that meets them damaged.
const mostMended = 1000

// mending deletes, and sums up anew the profiles that cannot be read meanwhile: removing needs no reading.
func (s *tenantStore) mending(ctx context.Context, remove func() error) error {
	for attempt := 0; ; attempt++ {
		err := remove()
		var damaged *store.Damaged
		if !errors.As(err, &damaged) || attempt == mostMended ||
			damaged.Kind != memory.KindLearningProfile && damaged.Kind != memory.KindExecution {
			return err
		}
		if err := s.discard(ctx, damaged); err != nil {
			return err
		}
	}
}

// discard removes what cannot be read, with what only it owns. No tombstone stays: a backup may bring it back.
func (s *tenantStore) discard(ctx context.Context, damaged *store.Damaged) error {
	parts, key := memory.SplitKey(damaged.Key), damaged.Key
	remove := deleting(damaged.Kind)
	switch damaged.Kind {
	case store.KindSpan:
		return s.ReleaseSpans(ctx, parts[0], parts[1:])
	case store.KindRelation:
		_, err := s.UnlinkConcepts(ctx, memory.Relation{Type: memory.RelationType(parts[0]), SourceKey: parts[1], TargetKey: parts[2]})
		return err
	case memory.KindEpisode:
		return s.discardEpisode(ctx, key)
	case memory.KindLearningProfile:
		return s.rebuildProfile(ctx, key, true)
	case memory.KindExecution:
		return s.discardExecution(ctx, key)
	case memory.KindFeedback:
		remove = (*transaction).deleteFeedback
	case memory.KindCanvas:
		remove = deletingCanvases(cypher.Named("await_canvases"))
	case store.KindSetting:
		remove = func(t *transaction, _ []string) (int, error) {
			_, err := settings.MakeInputKey(t.Transaction)
			return 0, err
		}
	case store.KindEmbedding, memory.KindAgent, memory.KindMemoir, memory.KindRun:
		length, err := s.LengthOfMost(ctx)
		if err != nil {
			return err
		}
		remove = func(t *transaction, _ []string) (int, error) {
			return 0, t.Run(anew[damaged.Kind], cypher.Parameters{
				"key": key, "nothing": cypher.Parameters{settings.VectorProperty(length): nil}, "first": bolt.Instant(memory.EarliestTime), "last": bolt.Instant(time.Date(10000, 1, 1, 0, 0, 0, -1, time.UTC)),
			}, nil)
		}
	}
	return s.write(ctx, func(t *transaction) error {
		_, err := remove(t, []string{key})
		return err
	})
}

// anew writes what cannot be read of records that stay, because others belong to them.
var anew = map[memory.Kind]cypher.Statement{
	store.KindEmbedding: cypher.Named("forget_vector"), memory.KindAgent: cypher.Named("agent_anew"),
	memory.KindMemoir: cypher.Named("memoir_anew"), memory.KindRun: cypher.Named("run_anew"),
}

// discardEpisode removes an episode with what only it owns, in parts.
func (s *tenantStore) discardEpisode(ctx context.Context, key string) error {
	return s.mending(ctx, func() error {
		owned, err := s.ownedCounts(ctx, nil, key)
		for parts := owned[key] / mostDeleted; parts > 0 && err == nil; parts-- {
			err = s.write(ctx, func(t *transaction) error { return t.deleteOwned(key, cypher.Named("await_canvases"), false) })
		}
		if err != nil {
			return err
		}
		return s.write(ctx, func(t *transaction) error {
			_, _, err := t.deleteEpisodes([]string{key}, false)
			return err
		})
	})
}

// discardExecution removes an execution that cannot be read, and sums up its profile anew.
func (s *tenantStore) discardExecution(ctx context.Context, key string) error {
	if found, err := s.Executions(ctx, []string{key}); err != nil {
		return err
	} else if store.IsSound(found[0]) { // it is only the hash of its input that cannot be read
		return s.write(ctx, func(t *transaction) error {
			return t.Run(cypher.Named("forget_hash"), cypher.Parameters{"key": key}, nil)
		})
	}
	var profiles []string
	err := s.write(ctx, func(t *transaction) (err error) {
		if profiles, err = bolt.RowsOf(t.Transaction, cypher.Named("profiles_of"), cypher.Parameters{"keys": []string{key}}, bolt.Column[string]("profile")); err != nil {
			return err
		}
		_, err = deleting(memory.KindExecution)(t, []string{key})
		return err
	})
	for _, profile := range profiles {
		err = cmp.Or(err, s.rebuildProfile(ctx, profile, true))
	}
	return err
}

// rebuildProfile sums up a profile anew, from what can be read of its window and its archive, and then of its
// agent's episodes. It is gone where nothing is left. Where some of it cannot be read it stays as it is, unless lossy.
func (s *tenantStore) rebuildProfile(ctx context.Context, key string, lossy bool) error {
	agent, taskType, ok := memory.SplitProfileKey(key)
	if !ok {
		return s.write(ctx, func(t *transaction) error {
			_, err := deleting(memory.KindLearningProfile)(t, []string{key})
			return err
		})
	}
	err := s.write(ctx, func(t *transaction) error {
		sound, hashes, whole, err := t.soundExecutions(key, agent, taskType)
		if err != nil {
			return err
		}
		if !whole && !lossy {
			return nil
		}
		if err := t.Run(cypher.Named("delete_profile"), cypher.Parameters{"key": key}, nil); err != nil || len(sound) == 0 {
			return err
		}
		anew := &learning.LockedProfiles{Profiles: map[string]*learning.LockedProfile{
			key: {LearningProfile: &memory.LearningProfile{AgentKey: agent, TaskType: taskType}},
		}, Placed: map[string]*learning.PlacedExecution{}}
		for _, e := range sound {
			anew.Add(*e, hashes[e.Key])
		}
		return learning.Save(t.Transaction, anew)
	})
	if err != nil {
		return err
	}
	return s.learnEpisodes(ctx)
}

// soundExecutions locks a profile, and reads those of its executions that can be read and are no episodes. It is whole
// where all can be read.
func (t *transaction) soundExecutions(key, agent, taskType string) (sound []*memory.Execution, hashes map[string]string, whole bool, err error) {
	hashes = map[string]string{}
	err = t.Run(cypher.Named("profile_parts"), cypher.Parameters{"key": key}, func(row *neo4j.Record) error {
		node, err := bolt.Column[neo4j.Node]("p")(row)
		if err != nil {
			return err
		}
		window, err := soundWindow(node)
		whole = err == nil
		_, err = bolt.NodeList(row, "executions", func(f *bolt.Fields) string {
			key := f.Text("key")
			hashes[key], _ = f.Node.Props["inputHash"].(string)
			if e := window[key]; e != nil {
				sound = append(sound, e)
			} else if e := learning.ArchivedOf(f, agent, taskType); f.Err == nil && !ofEpisode(key) {
				e.Archived = false // which follows from the others
				sound = append(sound, e)
			} else if !ofEpisode(key) {
				whole = false
			}
			f.Err = nil
			return key
		})
		return err
	})
	slices.SortFunc(sound, memory.CompareExecutions)
	return sound, hashes, whole, err
}

func ofEpisode(key string) bool { return strings.HasPrefix(key, memory.NodeID(memory.KindEpisode, "")) }

// soundWindow are the executions of a window that can be read and are no episodes, whatever counters and seals say.
func soundWindow(node neo4j.Node) (map[string]*memory.Execution, error) {
	f, p := &bolt.Fields{Node: node}, &memory.LearningProfile{}
	p.AgentKey, p.TaskType, _ = memory.SplitProfileKey(f.Text("key"))
	p.Window = memory.Window{
		At: bolt.List[int64](f, "windowAt"), Quality: bolt.List[float64](f, "windowQuality"), Keys: bolt.List[string](f, "windowKeys"),
		Success: bolt.List[bool](f, "windowSuccess"), LatencyMs: bolt.List[float64](f, "windowLatencyMs"),
	}
	p.Total = len(p.Window.At)
	found := map[string]*memory.Execution{}
	if err := cmp.Or(f.Err, p.Check()); err != nil {
		return found, err
	}
	for _, e := range p.Executions() {
		if !ofEpisode(e.Key) {
			found[e.Key] = e
		}
	}
	return found, nil
}
