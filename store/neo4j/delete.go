package neo4j

import (
	"context"

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
		case (counted > 0) != (known != nil):
			return &raced{cause: errGone} // another concluded it meanwhile
		}
		return t.unlearn(known, key)
	})
}

// deleteLocked deletes episodes, then what they were the last to use, and says how many were executions.
func (t *transaction) deleteLocked(keys ...string) (executions int, err error) {
	var waits []any
	var sessions []string
	deleted := 0
	err = t.run("delete_episodes", parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		waits, sessions = append(waits, list[any](f, "waits")...), append(sessions, list[string](f, "sessions")...)
		deleted++
		if required[bool](f, "counted") {
			executions++
		}
		return f.err
	})
	switch {
	case err != nil:
		return 0, err
	case deleted < len(keys):
		return 0, store.ErrNotFound // another deleted it while we waited for the lock
	}
	if err := t.run("drop_trace", parameters{"keys": keys}, nil); err != nil {
		return 0, err
	}
	return executions, t.letGo(waits, sessions)
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
	return t.run("drop_sessions", parameters{"sessions": setOf(sessions...).sorted()}, nil)
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
