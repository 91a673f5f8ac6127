package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// DeleteEpisode removes an episode with what only it owns; see store.EpisodeWriter.
func (s *tenantStore) DeleteEpisode(ctx context.Context, key string) error {
	return s.write(ctx, func(t *transaction) error {
		owned, err := t.belongings(key)
		if err != nil {
			return err
		}
		if _, err := t.lock(owned); err != nil {
			return err
		}
		return t.deleteLocked(key)
	})
}

// deleteLocked deletes the episode, then what it was the last to use.
func (t *transaction) deleteLocked(key string) error {
	var waits []any
	var sessions []string
	deleted := false
	err := t.run("delete_episode", parameters{"key": key}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		waits, sessions, deleted = list[any](f, "waits"), list[string](f, "sessions"), true
		return f.err
	})
	switch {
	case err != nil:
		return err
	case !deleted:
		return store.ErrNotFound // another deleted it while we waited for the lock
	}
	if err := t.run("drop_trace", parameters{"key": key}, nil); err != nil {
		return err
	}
	return t.letGo(waits, sessions)
}

// letGo removes what records were the last to wait for, and the sessions that they were the last in.
func (t *transaction) letGo(waits []any, sessions []string) error {
	if len(waits) > 0 {
		if err := t.run("settle", parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	slices.Sort(sessions)
	return t.run("drop_sessions", parameters{"sessions": sessions}, nil)
}

// belongings finds what is to be locked before an episode is deleted.
func (t *transaction) belongings(key string) (scope, error) {
	owned, found := newScope(), false
	err := t.run("belongings", parameters{"key": key}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		owned.executions.add(list[string](f, "executions")...)
		owned.canvases.add(list[string](f, "canvases")...)
		owned.sessions.add(list[string](f, "sessions")...)
		owned.episodes.add(key)
		found = true
		return f.err
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return owned, err
}
