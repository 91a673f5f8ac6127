package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
)

// mostDeleted bounds how many records a part of a deletion deletes, but for a few.
const mostDeleted = 1000

// DeleteEpisode removes an episode with what only it owns; see store.EpisodeWriter.
func (s *tenantStore) DeleteEpisode(ctx context.Context, key string) error {
	return s.mending(ctx, func() error { return s.deleteEpisode(ctx, key) })
}

func (s *tenantStore) deleteEpisode(ctx context.Context, key string) error {
	owned, err := s.ownedCounts(ctx, nil, key)
	if err != nil {
		return err
	}
	for parts := owned[key] / mostDeleted; parts > 0; parts-- { // others may add to the episode meanwhile
		err := s.write(ctx, func(t *transaction) error {
			_, err := t.deleteOwned(key, cypher.Named("await_canvases"))
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.write(ctx, func(t *transaction) error {
		deleted, err := t.deleteEpisodes(key)
		if err == nil && deleted.episodes == 0 {
			err = store.ErrNotFound
		}
		return err
	})
}

// ownedCounts tells how much episodes own that are there, by key; an agent's, or anybody's for nil.
func (s *tenantStore) ownedCounts(ctx context.Context, agent *string, keys ...string) (map[string]int, error) {
	counts := map[string]int{}
	q := s.Query(cypher.Named("owned_counts"), cypher.Parameters{"keys": keys, "agent": agent})
	_, err := bolt.Read(ctx, s.Connection, q, func(row *neo4j.Record) (struct{}, error) {
		f := bolt.FieldsOf(row.AsMap())
		counts[f.Text("key")] = f.Integer("owned")
		return struct{}{}, f.Err
	})
	return counts, err
}

// deletion is what was deleted: how many episodes, and the ids of what they owned.
type deletion struct {
	episodes int
	owned    []string
}

// deleteEpisodes deletes those that are there of episodes, with what only they own.
func (t *transaction) deleteEpisodes(keys ...string) (deletion, error) {
	owned, profiles, err := t.belongings(keys)
	if err != nil {
		return deletion{}, err
	}
	there, err := t.lockToDelete(owned)
	if err != nil || len(there) == 0 {
		return deletion{}, err
	}
	known, err := learning.LockExecutions(t.Transaction, profiles, there)
	if err != nil {
		return deletion{}, err
	}
	deleted, counted, err := t.deleteLocked(there)
	if err != nil {
		return deletion{}, err
	}
	if known == nil && counted > 0 || known != nil && counted != len(known.Nodes) {
		return deletion{}, &bolt.Raced{Cause: graph.ErrGone} // another concluded one meanwhile
	}
	return deleted, learning.Unlearn(t.Transaction, known)
}

// lockToDelete locks a scope without looking at what is in it, and tells which of its episodes are there.
func (t *transaction) lockToDelete(s graph.Scope) (episodes []string, err error) {
	err = t.Run(cypher.Named("lock"), cypher.Parameters{
		"sessions": s.Sessions.Sorted(), "executions": s.Executions.Sorted(), "canvases": s.Canvases.Sorted(),
		"episodes": s.Episodes.Sorted(), "newEpisodes": []string{}, "newFeedback": []string{},
	}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		if f.Integer("gone") > 0 {
			return &bolt.Raced{Cause: graph.ErrGone}
		}
		episodes = bolt.List[string](f, "episodes")
		return f.Err
	})
	slices.Sort(episodes)
	return episodes, err
}

// deleteLocked deletes episodes, then what they were the last to use, and says how many were executions.
func (t *transaction) deleteLocked(keys []string) (deleted deletion, executions int, err error) {
	var waits []any
	var sessions []string
	err = t.Run(cypher.Named("delete_episodes"), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		waits, sessions = append(waits, bolt.List[any](f, "waits")...), append(sessions, bolt.List[string](f, "sessions")...)
		deleted.episodes++
		deleted.owned = slices.Concat(deleted.owned,
			idsOf(memory.KindCanvas, bolt.List[string](f, "canvases")), idsOf(memory.KindFeedback, bolt.List[string](f, "feedback")))
		if bolt.Required[bool](f, "counted") {
			executions++
		}
		return f.Err
	})
	switch {
	case err != nil:
		return deletion{}, 0, err
	case deleted.episodes < len(keys):
		return deletion{}, 0, &bolt.Raced{Cause: graph.ErrGone} // another deleted one while we waited for the lock
	}
	if err := t.Run(cypher.Named("drop_trace"), cypher.Parameters{"keys": keys}, nil); err != nil {
		return deletion{}, 0, err
	}
	return deleted, executions, t.letGo(waits, sessions)
}

// idsOf are the global ids of keys of a kind.
func idsOf(kind memory.Kind, keys []string) []string {
	return bolt.Texts(keys, func(key string) string { return memory.NodeID(kind, key) })
}

// letGo removes what records were the last to wait for, and the sessions that they were the last in.
func (t *transaction) letGo(waits []any, sessions []string) error {
	if len(waits) > 0 {
		if err := t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	return t.Run(cypher.Named("drop_sessions"), cypher.Parameters{"sessions": graph.SetOf(sessions...).Sorted()}, nil)
}

// belongings finds what is to be locked before episodes are deleted; the profiles are those of their executions.
func (t *transaction) belongings(keys []string) (owned graph.Scope, profiles graph.KeySet, err error) {
	owned, profiles = graph.NewScope(), graph.KeySet{}
	owned.Episodes.Add(keys...)
	err = t.Run(cypher.Named("belongings"), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		owned.Executions.Add(bolt.List[string](f, "executions")...)
		owned.Canvases.Add(bolt.List[string](f, "canvases")...)
		owned.Sessions.Add(bolt.List[string](f, "sessions")...)
		profiles.Add(bolt.List[string](f, "profiles")...)
		return f.Err
	})
	return owned, profiles, err
}

// deleteOwned deletes some of what an episode owns, feedback before canvases, and gives the ids. A statement says
// what becomes of the feedback that others have on the canvases.
func (t *transaction) deleteOwned(episode string, onCanvases cypher.Statement) (ids []string, err error) {
	feedback, err := t.ownedRecords(episode, "RECEIVED")
	if err != nil {
		return nil, err
	}
	if len(feedback) > 0 {
		_, err := t.deleteFeedback(feedback...)
		return idsOf(memory.KindFeedback, feedback), err
	}
	canvases, err := t.ownedRecords(episode, "PRESENTED")
	if err != nil || len(canvases) == 0 {
		return nil, err
	}
	return idsOf(memory.KindCanvas, canvases), t.deleteCanvases(canvases, onCanvases)
}

func (t *transaction) ownedRecords(episode, link string) ([]string, error) {
	keys, err := bolt.RowsOf(t.Transaction, cypher.Rendered("owned_records", link), cypher.Parameters{"key": episode, "limit": mostDeleted}, bolt.Column[string]("key"))
	slices.Sort(keys)
	return keys, err
}

// deleteCanvases deletes canvases and takes them out of their episodes' aggregates.
func (t *transaction) deleteCanvases(keys []string, onCanvases cypher.Statement) error {
	wanted := graph.NewScope()
	wanted.Canvases.Add(keys...)
	sizes := func(each func(f *bolt.Fields, episode *string)) error {
		return t.Run(cypher.Named("canvas_sizes"), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
			f := bolt.FieldsOf(row.AsMap())
			each(f, f.OptionalText("episode"))
			return f.Err
		})
	}
	err := sizes(func(f *bolt.Fields, episode *string) {
		wanted.Episodes.AddOptional(episode)
		wanted.Sessions.AddOptional(f.OptionalText("session"))
	})
	if err != nil {
		return err
	}
	if _, err := t.lockToDelete(wanted); err != nil {
		return err
	}
	c := graph.NewChanges()
	moved := false
	err = sizes(func(f *bolt.Fields, episode *string) {
		c.Moves.Canvas(graph.OrNone(episode), f.Integer("actions"), "", 0)
		moved = moved || episode != nil && !wanted.Episodes.Has(*episode)
	})
	switch {
	case err != nil:
		return err
	case moved:
		return &bolt.Raced{Cause: graph.ErrGone} // it got an episode while we waited for its lock
	}
	if err := t.Run(onCanvases, cypher.Parameters{"keys": keys}, nil); err != nil {
		return err
	}
	if err := c.Apply(t.Transaction); err != nil {
		return err
	}
	_, err = t.deleteRecords(memory.KindCanvas, keys...)
	return err
}

// deleteRecords deletes records of a kind, and then what they were the last to use. It says how many were there.
func (t *transaction) deleteRecords(kind memory.Kind, keys ...string) (deleted int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	var waits []any
	var sessions []string
	err = t.Run(cypher.Rendered("delete_records", graph.Labels[kind]), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		deleted, waits, sessions = f.Integer("count"), bolt.List[any](f, "waits"), bolt.List[string](f, "sessions")
		return f.Err
	})
	if err != nil {
		return 0, err
	}
	return deleted, t.letGo(waits, sessions)
}
