package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/profiles"
)

// episodesAtOnce is how many episodes a part deletes at most.
const episodesAtOnce = 100

// DeleteAgent deletes what there is of an agent, in parts; see store.Eraser. What is recorded of it meanwhile
// stays, and the agent then too.
func (s *tenantStore) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	if _, err := s.InputKey(ctx); err != nil {
		return 0, err
	}
	waiting, late, err := s.tracesOf(ctx, key)
	if err != nil {
		return 0, err
	}
	held := len(waiting)+len(late) > 0
	if err := s.write(ctx, func(t *transaction) error { return t.forgetName(key, held) }); err != nil {
		return 0, err
	}
	if err := s.forgetTraces(ctx, waiting, late); err != nil {
		return 0, err
	}
	// What there is now; traces that became episodes before they had their tombstones are among it. Of sums, who still wrote
	// about its episodes has done so by then; their tombstones keep out who would write from now on.
	for _, doomed := range []struct {
		finding cypher.Statement
		of      string
		forget  forgetter
	}{
		{cypher.Named("agent_episodes"), key, func(ctx context.Context, s *tenantStore, keys []string) (int, error) {
			gone, err := s.forgetEpisodes(ctx, &key, keys)
			episodes += gone
			return gone, err
		}},
		{cypher.Named("agent_executions"), key, inParts(memory.KindExecution, deletingExecutions(&key))},
		{cypher.Named("agent_sums"), consolidation.KeyPrefix(key), forgetting[memory.KindObservation]},
	} {
		keys, err := bolt.Read(ctx, s.Connection, s.Query(doomed.finding, cypher.Parameters{"key": doomed.of}), bolt.Column[string]("key"))
		if err == nil {
			_, err = doomed.forget(ctx, s, keys)
		}
		if err != nil {
			return episodes, err
		}
	}
	return episodes, s.write(ctx, func(t *transaction) error {
		idle, err := bolt.RowsOf(t.Transaction, cypher.Named("idle_agent"), cypher.Parameters{"key": key}, bolt.Column[string]("key"))
		if err == nil {
			_, err = deleting(memory.KindAgent)(t, idle)
		}
		return err
	})
}

// forgetName leaves an agent's tombstone and takes its name away.
func (t *transaction) forgetName(key string, held bool) error {
	if err := t.bury(memory.KindAgent, key); err != nil {
		return err
	}
	known, err := bolt.RowsOf(t.Transaction, cypher.Named("forget_name"), cypher.Parameters{"key": key}, bolt.Column[string]("key"))
	if err == nil && len(known) == 0 && !held {
		err = store.ErrNotFound
	}
	return err
}

// tracedSpan is a held span, or the data of one that cannot be read, and whether its trace is an episode already.
type tracedSpan struct {
	store.SpanItem
	recorded bool
	unread   *string
}

// tracesOf finds the held traces that name an agent: waiting are no episodes yet, late are those that are.
func (s *tenantStore) tracesOf(ctx context.Context, agent string) (waiting, late []string, err error) {
	read := func(row *neo4j.Record) (store.Item, error) {
		f := bolt.FieldsOf(row.AsMap())
		trace, key := f.Text("afterTrace"), f.Text("afterKey")
		one := &tracedSpan{recorded: bolt.Required[bool](f, "recorded")}
		if err := f.Err; err != nil {
			return nil, err
		}
		if one.HeldSpan = heldSpanOf(f, trace, key); f.Err != nil {
			data, _ := f.Node.Props["data"].(string)
			one.unread = &data
		}
		one.Trace = trace
		return one, nil
	}
	found := store.NewAgentTraces(agent)
	err = s.exportPages(cypher.Named("export_spans"), firstSpan, read)(ctx, func(item store.Item) error {
		if one, _ := item.(*tracedSpan); one.unread == nil {
			found.Add(&one.HeldSpan, one.recorded)
		} else {
			found.AddUnread(one.Trace, []byte(*one.unread), one.recorded)
		}
		return nil
	})
	waiting, late = found.Found()
	return waiting, late, err
}

// forgetTraces deletes what is held of traces that name an agent. Those that are no episodes by now never become any.
func (s *tenantStore) forgetTraces(ctx context.Context, waiting, late []string) error {
	const together = 10
	for keys := range slices.Chunk(slices.Concat(waiting, late), together) {
		err := s.write(ctx, func(t *transaction) error {
			ids := memory.NodeIDs(memory.KindEpisode, keys)
			if _, err := graph.LockTombstones(t.Transaction, graph.SetOf(graph.TombstoneKeys(t.store.KnownKey(), ids)...)); err != nil {
				return err
			}
			episodes, err := graph.Existing(t.Transaction, ids)
			if err != nil {
				return err
			}
			if err := graph.AddTombstones(t.Transaction, t.store.KnownKey(), slices.DeleteFunc(ids, episodes.Has)...); err != nil {
				return err
			}
			return t.Run(cypher.Named("drop_trace"), cypher.Parameters{"keys": slices.Sorted(slices.Values(keys))}, nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetEpisodes deletes episodes for good, of an agent or of any where that is nil, in parts of as many as own no more than
// goes into one. Where one owns more, some of that goes first. Feedback of others on their canvases no longer names these
// where the agent goes, else it waits for such canvases again.
func (s *tenantStore) forgetEpisodes(ctx context.Context, agent *string, keys []string) (count int, err error) {
	onCanvases := cypher.Named("await_canvases")
	if agent != nil {
		onCanvases = cypher.Named("unname_canvases")
	}
	for len(keys) > 0 {
		some := keys[:min(episodesAtOnce, len(keys))]
		owned, err := s.ownedCounts(ctx, agent, some...)
		if err != nil {
			return count, err
		}
		var part []string
		passed, sum := 0, 0
		for _, key := range some {
			more, there := owned[key]
			if sum += more; sum > maxDeleted && len(part) > 0 {
				break
			}
			passed++
			if there {
				part = append(part, key)
			}
		}
		if len(part) == 0 {
			keys = keys[passed:]
			continue
		}
		whole := owned[part[0]] <= maxDeleted
		if whole {
			keys = keys[passed:]
			if err := s.loosen(ctx, memory.KindEpisode, part); err != nil {
				return count, err
			}
		}
		gone, err := written(ctx, s, func(t *transaction) (int, error) {
			if err := t.bury(memory.KindEpisode, part...); err != nil { // before what is of them goes
				return 0, err
			}
			if !whole {
				return 0, t.deleteOwned(part[0], onCanvases, true)
			}
			deleted, owned, err := t.deleteEpisodes(part, agent != nil)
			if err != nil {
				return 0, err
			}
			return deleted, graph.AddTombstones(t.Transaction, t.store.KnownKey(), owned...)
		})
		if count += gone; err != nil {
			return count, err
		}
	}
	return count, nil
}

// deletingExecutions deletes executions that are no episodes, of one agent where that is given.
func deletingExecutions(agent *string) remover {
	return func(t *transaction, keys []string) (int, error) {
		found, err := bolt.RowsOf(t.Transaction, cypher.Named("profiles_of"), cypher.Parameters{"keys": keys}, bolt.Column[string]("profile"))
		if err != nil {
			return 0, err
		}
		of := slices.DeleteFunc(found, func(key string) bool {
			whose, _, _ := memory.SplitProfileKey(key)
			return agent != nil && whose != *agent
		})
		known, err := profiles.Lock(t.learning(), of, keys)
		if err != nil {
			return 0, err
		}
		return known.CountOut()
	}
}
