package learning

import (
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// latestArgs are the parameters of latestOf: from an instant on, or from a position that is older.
func latestArgs(profile string, asOf *time.Time, after *store.Position, limit, skip int) []driver.NamedValue {
	at, key := graph.AsOfOrEver(asOf), any([]byte{0xff}) // which comes after all text
	if after != nil && after.At.UnixMilli() <= at {
		at, key = after.At.UnixMilli(), after.Key
	}
	return []driver.NamedValue{db.Arg("profile", profile), db.Arg("at", at), db.Arg("key", key), db.Arg("limit", limit), db.Arg("skip", skip)}
}

// oldestIn is the position of the oldest execution in a window that is full, or was at an instant.
func oldestIn(c *db.Conn, profile string, asOf *time.Time) (oldest *store.Position, err error) {
	_, err = c.One(oldestOf, func(r *db.Row) {
		oldest = &store.Position{At: r.AnyTime(), Key: r.Text()}
	}, latestArgs(profile, asOf, nil, 1, memory.WindowSize-1)...)
	return oldest, err
}

// archived says whether an execution x is older than the window of its profile.
var archived = fmt.Sprintf(`(SELECT 1 FROM executions y WHERE y.profile = x.profile AND (y.at, y.key) > (x.at, x.key)
	LIMIT 1 OFFSET %d) IS NOT NULL`, memory.WindowSize-1)

// ByKey reads executions in the order of the keys, nil where there is none.
func ByKey(ctx context.Context, c *db.Conn, keys []string) ([]*memory.Execution, error) {
	find := `SELECT ` + Columns + `, ` + archived + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = w.value
		JOIN executions x ON x.id = n.id JOIN nodes o ON o.id = x.profile`
	found, err := db.AllWithin(ctx, c, find, func(r *db.Row) *memory.Execution {
		e := Read(r)
		e.Archived = r.Bool()
		return e
	}, db.List("keys", db.Distinct(keys)))
	return store.InOrder(keys, found, store.KeyOf), err
}

// Page reads executions of a profile.
func Page(ctx context.Context, c *db.Conn, l profiles.Listing) (page []profiles.Listed, err error) {
	profile := memory.ProfileKey(l.Agent, l.TaskType)
	var oldest *store.Position
	if l.After != nil {
		if oldest, err = oldestIn(c, profile, l.AsOf); err != nil {
			return nil, err
		}
	}
	return db.AllWithin(ctx, c, pageOf, func(r *db.Row) profiles.Listed {
		return profiles.Listed{Execution: Read(r), Oldest: oldest}
	}, latestArgs(profile, l.AsOf, l.After, l.Limit, l.Skip)...)
}

// Profiles reads profiles. What they were at an instant follows from the executions that came after it, and their
// windows of then from the latest before; without windows these are not read.
func Profiles(ctx context.Context, c *db.Conn, filter *store.ProfilesOf, windows bool) ([]*memory.LearningProfile, error) {
	var w db.Conditions
	AddAgents(&w, `p.agent`, filter.Agents)
	if filter.TaskTypes != nil {
		w.Add(`p.task_type IN (SELECT value FROM json_each(:task_types))`, db.List("task_types", filter.TaskTypes))
	}
	found, err := db.AllWithin(ctx, c, allProfiles+` WHERE `+w.SQL(), checked, w.Args...)
	all := make([]*memory.LearningProfile, 0, len(found))
	for i := 0; i < len(found) && err == nil; i++ {
		p := found[i]
		if filter.AsOf != nil && p.LastUpdated().After(*filter.AsOf) {
			err = rewind(ctx, c, p, *filter.AsOf, windows)
		}
		if fault := p.Check(); fault != nil && windows {
			store.NoteDamage(ctx, &store.Damaged{Kind: memory.KindLearningProfile, Key: memory.ProfileKey(p.AgentKey, p.TaskType), Cause: fault})
			continue
		}
		p.AsOf = filter.AsOf
		all = append(all, p)
	}
	return profiles.Sort(all), err
}

// rewind makes a profile what it was at an instant.
func rewind(ctx context.Context, c *db.Conn, p *memory.LearningProfile, asOf time.Time, window bool) error {
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	const since = `SELECT x.key, x.success, x.quality, x.latency_ms FROM executions x WHERE ` + ofProfile + ` AND x.at > :as_of`
	later, err := db.AllWithin(ctx, c, since, func(r *db.Row) *memory.Execution {
		return &memory.Execution{Key: r.Key(memory.KindExecution), Success: r.Bool(), Quality: r.Float(), LatencyMs: r.OptionalFloat()}
	}, db.Arg("profile", key), db.Arg("as_of", asOf))
	var then []*memory.Execution
	if err == nil && window {
		then, err = db.AllWithin(ctx, c, windowOf, readPlace, latestArgs(key, &asOf, nil, memory.WindowSize, 0)...)
	}
	p.Rewind(asOf, memory.SumUp("", "", later), memory.WindowOf(then))
	return err
}

// AddAgents asks for some agents; nil asks for any.
func AddAgents(w *db.Conditions, column string, agents []string) {
	if agents != nil {
		w.Add(column+` IN (SELECT n.id FROM json_each(:agents) v CROSS JOIN nodes n ON n.kind = 'agent' AND n.key = v.value)`, db.List("agents", agents))
	}
}

// TellDamaged tells of the profiles that cannot be read.
func TellDamaged(ctx context.Context, c *db.Conn) error {
	return c.Search(ctx, allProfiles, func(r *db.Row) {
		checked(r)
		r.Damaged()
	})
}

// Missummed are the profiles that do not sum up their executions, of those of which all can be read.
func Missummed(ctx context.Context, c *db.Conn) (keys []string, err error) {
	return keys, c.Search(ctx, allProfiles, func(r *db.Row) {
		p := readProfile(r)
		if r.Unreadable() { // it is named elsewhere
			return
		}
		key := memory.ProfileKey(p.AgentKey, p.TaskType)
		all, err := executionsOf(ctx, c, key)
		r.Stop(err)
		own := make([]*memory.Execution, len(all))
		orphans := len(all) == 0
		for i, e := range all {
			if e.Unread != nil {
				return
			}
			own[i], orphans = &e.Execution, orphans || e.Orphan
		}
		sum := memory.SumUp(p.AgentKey, p.TaskType, own)
		if orphans || !reflect.DeepEqual(sum, p) {
			keys = append(keys, key)
		}
	})
}
