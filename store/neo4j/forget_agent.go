package neo4j

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
)

// episodesAtOnce is how many episodes a part deletes at most.
const episodesAtOnce = 100

// DeleteAgent deletes what there is of an agent, in parts; see store.Eraser. What is recorded of it meanwhile
// stays, and the agent then too.
func (s *tenantStore) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	err = s.mending(ctx, func() error {
		count, err := s.deleteAgent(ctx, key)
		episodes += count
		return err
	})
	return episodes, err
}

func (s *tenantStore) deleteAgent(ctx context.Context, key string) (episodes int, err error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return 0, err
	}
	waiting, late, err := s.tracesOf(ctx, key)
	if err != nil {
		return 0, err
	}
	held := len(waiting)+len(late) > 0
	if err := s.write(ctx, func(t *transaction) error { return t.forgetName(inputKey, key, held) }); err != nil {
		return 0, err
	}
	if err := s.forgetTraces(ctx, inputKey, waiting, late); err != nil {
		return 0, err
	}
	// What there is now; traces that became episodes before they had their tombstones are among it.
	doomed, err := s.belongingsOf(ctx, key)
	if err != nil {
		return 0, err
	}
	for len(doomed.episodes) > 0 {
		count, err := s.forgetEpisodes(ctx, inputKey, doomed)
		episodes += count
		if err != nil {
			return episodes, err
		}
	}
	for keys := range slices.Chunk(doomed.executions, mostDeleted) {
		if err := s.write(ctx, func(t *transaction) error {
			if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeIDs(memory.KindExecution, keys)...); err != nil {
				return err
			}
			_, err := t.deleteExecutions(&key, keys)
			return err
		}); err != nil {
			return episodes, err
		}
	}
	// Who still wrote about its episodes has done so; their tombstones keep out who would write from now on.
	sums, err := s.keysOf(ctx, cypher.Named("agent_sums"), consolidation.KeyPrefix(key))
	if err != nil {
		return episodes, err
	}
	if _, err := recordsInParts(memory.KindObservation)(ctx, s, inputKey, sums); err != nil {
		return episodes, err
	}
	return episodes, s.write(ctx, func(t *transaction) error {
		idle, err := bolt.RowsOf(t.Transaction, cypher.Named("idle_agent"), cypher.Parameters{"key": key}, bolt.Column[string]("key"))
		if err == nil {
			_, err = t.deleteRecords(memory.KindAgent, idle...)
		}
		return err
	})
}

// forgetName leaves an agent's tombstone and takes its name away.
func (t *transaction) forgetName(inputKey []byte, key string, held bool) error {
	if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeID(memory.KindAgent, key)); err != nil {
		return err
	}
	known, err := bolt.RowsOf(t.Transaction, cypher.Named("forget_name"), cypher.Parameters{"key": key}, bolt.Column[string]("key"))
	if err == nil && len(known) == 0 && !held {
		err = store.ErrNotFound
	}
	return err
}

// tracesOf finds the held traces that name an agent: waiting are no episodes yet, late are those that are.
func (s *tenantStore) tracesOf(ctx context.Context, agent string) (waiting, late []string, err error) {
	type span struct {
		held       store.HeldSpan
		key        string
		recorded   bool
		unreadable bool
		unread     string // its data
	}
	found, afterTrace, afterKey := store.NewAgentTraces(agent), "", ""
	for {
		q := s.Query(cypher.Named("all_held_spans"), cypher.Parameters{
			"afterTrace": afterTrace, "afterKey": afterKey, "limit": exportPage,
		})
		page, err := bolt.Read(ctx, s.Connection, q, func(row *neo4j.Record) (span, error) {
			f := bolt.FieldsOf(row.AsMap())
			one := span{key: f.Text("key"), recorded: bolt.Required[bool](f, "recorded")}
			trace := f.Text("trace")
			if err := f.Err; err != nil {
				return one, err
			}
			one.held = heldSpanOf(f, trace, one.key)
			if f.Err != nil {
				one.unread, _ = f.Node.Props["data"].(string)
				one.unreadable = true
			}
			one.held.Trace = trace
			return one, nil
		})
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			one := &page[i]
			afterTrace, afterKey = one.held.Trace, one.key
			if one.unreadable {
				found.AddUnread(one.held.Trace, []byte(one.unread), one.recorded)
				continue
			}
			found.Add(&one.held, one.recorded)
		}
		if len(page) < exportPage {
			waiting, late = found.Found()
			return waiting, late, nil
		}
	}
}

// forgetTraces deletes what is held of traces that name an agent. Those that are no episodes by now never become any.
func (s *tenantStore) forgetTraces(ctx context.Context, inputKey []byte, waiting, late []string) error {
	const together = 10
	for keys := range slices.Chunk(waiting, together) {
		err := s.write(ctx, func(t *transaction) error {
			ids := memory.NodeIDs(memory.KindEpisode, keys)
			if _, err := graph.LockTombstones(t.Transaction, graph.SetOf(graph.TombstoneKeys(inputKey, ids)...)); err != nil {
				return err
			}
			episodes, err := graph.Existing(t.Transaction, ids)
			if err != nil {
				return err
			}
			ids = slices.DeleteFunc(ids, episodes.Has)
			if err := graph.AddTombstones(t.Transaction, inputKey, ids...); err != nil {
				return err
			}
			return t.Run(cypher.Named("drop_trace"), cypher.Parameters{"keys": slices.Sorted(slices.Values(keys))}, nil)
		})
		if err != nil {
			return err
		}
	}
	for keys := range slices.Chunk(late, together) {
		err := s.write(ctx, func(t *transaction) error {
			return t.Run(cypher.Named("drop_trace"), cypher.Parameters{"keys": slices.Sorted(slices.Values(keys))}, nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// belongings are what belongs to an agent when it is deleted, by key.
type belongings struct {
	agent                *string // nil for those of any
	episodes, executions []string
}

// onCanvases says what becomes of the feedback of others on the canvases of its episodes: where the agent goes, it no
// longer names them, else it waits for such canvases again.
func (b *belongings) onCanvases() cypher.Statement {
	if b.agent == nil {
		return cypher.Named("await_canvases")
	}
	return cypher.Named("unname_canvases")
}

// belongingsOf finds what belongs to an agent.
func (s *tenantStore) belongingsOf(ctx context.Context, agent string) (*belongings, error) {
	episodes, err := s.keysOf(ctx, cypher.Named("agent_episodes"), agent)
	if err != nil {
		return nil, err
	}
	executions, err := s.keysOf(ctx, cypher.Named("agent_executions"), agent)
	return &belongings{agent: &agent, episodes: episodes, executions: executions}, err
}

// keysOf gives the keys that a statement finds, the oldest first: to take executions out of a profile in this order
// does not touch its window until the end.
func (s *tenantStore) keysOf(ctx context.Context, finding cypher.Statement, key string) ([]string, error) {
	type found struct {
		key string
		at  int64
	}
	q := s.Query(finding, cypher.Parameters{"key": key})
	all, err := bolt.Read(ctx, s.Connection, q, bolt.Decoded(func(f *bolt.Fields) found {
		one := found{f.Text("key"), endOfTime}
		if at, known := f.Node.Props["at"].(time.Time); known {
			one.at = at.UnixMilli()
		}
		return one
	}))
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	return bolt.Texts(all, func(one found) string { return one.key }), err
}

// endOfTime is when what is in a window was.
const endOfTime = 1 << 62

// forgetEpisodes deletes some episodes, and says how many: as many as own no more than goes into a part. Where one
// owns more, some of that goes first.
func (s *tenantStore) forgetEpisodes(ctx context.Context, inputKey []byte, b *belongings) (count int, err error) {
	keys := b.episodes[:min(episodesAtOnce, len(b.episodes))]
	owned, err := s.ownedCounts(ctx, b.agent, keys...)
	if err != nil {
		return 0, err
	}
	var part []string
	passed, sum := 0, 0
	for _, key := range keys {
		more, there := owned[key]
		if sum += more; sum > mostDeleted && len(part) > 0 {
			break
		}
		passed++
		if there {
			part = append(part, key)
		}
	}
	if len(part) > 0 && owned[part[0]] > mostDeleted {
		return 0, s.write(ctx, func(t *transaction) error { return t.forgetOwned(inputKey, part[0], b.onCanvases()) })
	}
	if err := s.loosen(ctx, memory.KindEpisode, part); err != nil {
		return 0, err
	}
	count, err = written(ctx, s, func(t *transaction) (int, error) { return t.forgetEpisodes(inputKey, b.agent != nil, part) })
	if err != nil {
		return 0, err
	}
	b.episodes = b.episodes[passed:]
	return count, nil
}

// forgetOwned deletes some of what an episode owns.
func (t *transaction) forgetOwned(inputKey []byte, episode string, onCanvases cypher.Statement) error {
	if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeID(memory.KindEpisode, episode)); err != nil { // before what is of it goes
		return err
	}
	ids, err := t.deleteOwned(episode, onCanvases)
	if err != nil {
		return err
	}
	return graph.AddTombstones(t.Transaction, inputKey, ids...)
}

// forgetEpisodes deletes episodes; unname says that feedback of others no longer names their canvases, which otherwise
// waits for such canvases again.
func (t *transaction) forgetEpisodes(inputKey []byte, unname bool, keys []string) (count int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeIDs(memory.KindEpisode, keys)...); err != nil {
		return 0, err
	}
	owned, _, err := t.belongings(keys)
	if err != nil {
		return 0, err
	}
	if unname {
		if err := t.Run(cypher.Named("unname_canvases"), cypher.Parameters{"keys": owned.Canvases.Sorted()}, nil); err != nil {
			return 0, err
		}
	}
	deleted, err := t.deleteEpisodes(keys...)
	if err != nil {
		return 0, err
	}
	return deleted.episodes, graph.AddTombstones(t.Transaction, inputKey, deleted.owned...)
}

// deleteExecutions deletes executions, of one agent where that is given, that are no episodes, and says how many there were.
func (t *transaction) deleteExecutions(agent *string, keys []string) (int, error) {
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("profiles_of"), cypher.Parameters{"keys": keys}, bolt.Column[string]("profile"))
	if err != nil {
		return 0, err
	}
	profiles := graph.KeySet{}
	for _, key := range found {
		if whose, _, _ := memory.SplitProfileKey(key); agent == nil || whose == *agent {
			profiles.Add(key)
		}
	}
	known, err := learning.LockProfiles(t.Transaction, profiles, graph.SetOf(keys...))
	if err != nil {
		return 0, err
	}
	return len(known.Nodes), learning.CountOut(t.Transaction, known)
}
