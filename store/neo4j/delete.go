package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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
			_, err := t.deleteOwned(key, named("await_canvases"))
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
	q := s.query(named("owned_counts"), parameters{"keys": keys, "agent": agent})
	_, err := read(ctx, s.backend, q, func(row *neo4j.Record) (struct{}, error) {
		f := fieldsOf(row.AsMap())
		counts[f.text("key")] = f.integer("owned")
		return struct{}{}, f.err
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
	known, err := t.lockExecutions(profiles, there)
	if err != nil {
		return deletion{}, err
	}
	deleted, counted, err := t.deleteLocked(there)
	if err != nil {
		return deletion{}, err
	}
	if known == nil && counted > 0 || known != nil && counted != len(known.nodes) {
		return deletion{}, &raced{cause: errGone} // another concluded one meanwhile
	}
	return deleted, t.unlearn(known)
}

// lockToDelete locks a scope without looking at what is in it, and tells which of its episodes are there.
func (t *transaction) lockToDelete(s scope) (episodes []string, err error) {
	err = t.run(named("lock"), parameters{
		"sessions": s.sessions.sorted(), "executions": s.executions.sorted(), "canvases": s.canvases.sorted(),
		"episodes": s.episodes.sorted(), "newEpisodes": []string{}, "newFeedback": []string{},
	}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		if f.integer("gone") > 0 {
			return &raced{cause: errGone}
		}
		episodes = list[string](f, "episodes")
		return f.err
	})
	slices.Sort(episodes)
	return episodes, err
}

// deleteLocked deletes episodes, then what they were the last to use, and says how many were executions.
func (t *transaction) deleteLocked(keys []string) (deleted deletion, executions int, err error) {
	var waits []any
	var sessions []string
	err = t.run(named("delete_episodes"), parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		waits, sessions = append(waits, list[any](f, "waits")...), append(sessions, list[string](f, "sessions")...)
		deleted.episodes++
		deleted.owned = slices.Concat(deleted.owned,
			idsOf(memory.KindCanvas, list[string](f, "canvases")), idsOf(memory.KindFeedback, list[string](f, "feedback")))
		if required[bool](f, "counted") {
			executions++
		}
		return f.err
	})
	switch {
	case err != nil:
		return deletion{}, 0, err
	case deleted.episodes < len(keys):
		return deletion{}, 0, &raced{cause: errGone} // another deleted one while we waited for the lock
	}
	if err := t.run(named("drop_trace"), parameters{"keys": keys}, nil); err != nil {
		return deletion{}, 0, err
	}
	return deleted, executions, t.letGo(waits, sessions)
}

// idsOf are the global ids of keys of a kind.
func idsOf(kind memory.Kind, keys []string) []string {
	return texts(keys, func(key string) string { return memory.NodeID(kind, key) })
}

// letGo removes what records were the last to wait for, and the sessions that they were the last in.
func (t *transaction) letGo(waits []any, sessions []string) error {
	if len(waits) > 0 {
		if err := t.run(named("drop_waiting"), parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	return t.run(named("drop_sessions"), parameters{"sessions": setOf(sessions...).sorted()}, nil)
}

// belongings finds what is to be locked before episodes are deleted; the profiles are those of their executions.
func (t *transaction) belongings(keys []string) (owned scope, profiles keySet, err error) {
	owned, profiles = newScope(), keySet{}
	owned.episodes.add(keys...)
	err = t.run(named("belongings"), parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		owned.executions.add(list[string](f, "executions")...)
		owned.canvases.add(list[string](f, "canvases")...)
		owned.sessions.add(list[string](f, "sessions")...)
		profiles.add(list[string](f, "profiles")...)
		return f.err
	})
	return owned, profiles, err
}

// deleteOwned deletes some of what an episode owns, feedback before canvases, and gives the ids. A statement says
// what becomes of the feedback that others have on the canvases.
func (t *transaction) deleteOwned(episode string, onCanvases statement) (ids []string, err error) {
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
	keys, err := rowsOf(t, rendered("owned_records", link), parameters{"key": episode, "limit": mostDeleted}, column[string]("key"))
	slices.Sort(keys)
	return keys, err
}

// deleteCanvases deletes canvases and takes them out of their episodes' aggregates.
func (t *transaction) deleteCanvases(keys []string, onCanvases statement) error {
	wanted := newScope()
	wanted.canvases.add(keys...)
	sizes := func(each func(f *fields, episode *string)) error {
		return t.run(named("canvas_sizes"), parameters{"keys": keys}, func(row *neo4j.Record) error {
			f := fieldsOf(row.AsMap())
			each(f, f.optionalText("episode"))
			return f.err
		})
	}
	err := sizes(func(f *fields, episode *string) {
		wanted.episodes.addOptional(episode)
		wanted.sessions.addOptional(f.optionalText("session"))
	})
	if err != nil {
		return err
	}
	if _, err := t.lockToDelete(wanted); err != nil {
		return err
	}
	c := newChanges()
	moved := false
	err = sizes(func(f *fields, episode *string) {
		c.moves.Canvas(orNone(episode), f.integer("actions"), "", 0)
		moved = moved || episode != nil && !wanted.episodes.has(*episode)
	})
	switch {
	case err != nil:
		return err
	case moved:
		return &raced{cause: errGone} // it got an episode while we waited for its lock
	}
	if err := t.run(onCanvases, parameters{"keys": keys}, nil); err != nil {
		return err
	}
	if err := c.apply(t); err != nil {
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
	err = t.run(rendered("delete_records", labels[kind]), parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		deleted, waits, sessions = f.integer("count"), list[any](f, "waits"), list[string](f, "sessions")
		return f.err
	})
	if err != nil {
		return 0, err
	}
	return deleted, t.letGo(waits, sessions)
}
