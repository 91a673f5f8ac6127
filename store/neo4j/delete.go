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
		owned, profiles, err := t.belongings(key)
		if err != nil {
			return err
		}
		if _, err := t.lock(owned); err != nil {
			return err
		}
		known, err := t.lockExecution(key, profiles)
		if err != nil {
			return err
		}
		counted, err := t.deleteLocked(key)
		switch {
		case err != nil:
			return err
		case counted != (known != nil):
			return &raced{cause: errGone} // another concluded it meanwhile
		}
		return t.unlearn(known, key)
	})
}

// deleteLocked deletes the episode, then what it was the last to use, and says whether it was an execution.
func (t *transaction) deleteLocked(key string) (counted bool, err error) {
	var waits []any
	var sessions []string
	deleted := false
	err = t.run("delete_episode", parameters{"key": key}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		waits, sessions, deleted = list[any](f, "waits"), list[string](f, "sessions"), true
		counted = required[bool](f, "counted")
		return f.err
	})
	switch {
	case err != nil:
		return false, err
	case !deleted:
		return false, store.ErrNotFound // another deleted it while we waited for the lock
	}
	if err := t.run("drop_trace", parameters{"key": key}, nil); err != nil {
		return false, err
	}
	return counted, t.letGo(waits, sessions)
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

// belongings finds what is to be locked before an episode is deleted; the profiles are that of its
// execution, or none.
func (t *transaction) belongings(key string) (owned scope, profiles []string, err error) {
	owned = newScope()
	found := false
	err = t.run("belongings", parameters{"key": key}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		owned.executions.add(list[string](f, "executions")...)
		owned.canvases.add(list[string](f, "canvases")...)
		owned.sessions.add(list[string](f, "sessions")...)
		owned.episodes.add(key)
		profiles = list[string](f, "profiles")
		found = true
		return f.err
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return owned, profiles, err
}
