// Package learning keeps executions and the learning profiles that sum them up. Package profiles says how.
package learning

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
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

// ByKey reads executions.
func ByKey(ctx context.Context, c *db.Conn, keys []string) ([]*memory.Execution, error) {
	find := `SELECT ` + Columns + `, ` + archived + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = w.value
		JOIN executions x ON x.id = n.id JOIN nodes o ON o.id = x.profile`
	return db.AllWithin(ctx, c, find, func(r *db.Row) *memory.Execution {
		e := Read(r)
		e.Archived = r.Bool()
		return e
	}, db.List("keys", db.Distinct(keys)))
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

// WholeProfiles are Profiles with windows.
func WholeProfiles(ctx context.Context, c *db.Conn, filter *store.ProfilesOf, _ int) ([]*memory.LearningProfile, error) {
	return Profiles(ctx, c, filter, true)
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

func profileFields(p *memory.LearningProfile) fields.List {
	return slices.Concat(fields.Profile(p), fields.ProfileWindow(p))
}

// A profile is p, its node n, that of its agent a. An execution is x, its node n, that of its profile o.
var (
	profileColumns   = `n.key, a.key, ` + db.Selected("p", profileFields(&memory.LearningProfile{}))
	profileAgent     = ` LEFT JOIN nodes a ON a.id = p.agent AND a.kind = 'agent'`
	allProfiles      = `SELECT ` + profileColumns + ` FROM profiles p JOIN nodes n ON n.id = p.id` + profileAgent
	profileScanner   = db.ScannerOf(profileFields)
	insertingProfile = `REPLACE` + db.Inserting("profiles", profileFields(&memory.LearningProfile{}), "id", "agent")[len(`INSERT`):]
	updatingProfile  = db.Updating("profiles", profileFields(&memory.LearningProfile{}), `id = :id`)

	// Columns are the columns of an execution.
	Columns            = `n.key, o.key, ` + db.Selected("x", fields.Execution(&memory.Execution{}))
	executionScanner   = db.ScannerOf(fields.Execution)
	insertingExecution = db.Inserting("executions", fields.Execution(&memory.Execution{}), "id", "profile", "key", "input_hash")
)

// profileOf finds the profile of an execution by its link, and else by what it says itself.
const profileOf = `coalesce((SELECT target FROM edges WHERE source = n.id AND type = 'OF'), x.profile)`

const ofProfile = `x.profile = (SELECT id FROM nodes WHERE kind = 'learningProfile' AND key = :profile)`

// readProfile reads profileColumns.
func readProfile(r *db.Row) *memory.LearningProfile {
	key, p := r.Key(memory.KindLearningProfile), &memory.LearningProfile{}
	p.AgentKey = r.Text()
	profileScanner.Scan(p, r)
	if memory.ProfileKey(p.AgentKey, p.TaskType) != key {
		r.Fail("the agent or the task type is another than in the key")
	}
	return p
}

// checked reads a profile whose columns go together.
func checked(r *db.Row) *memory.LearningProfile {
	p := readProfile(r)
	r.Check(p.Check())
	return p
}

// Read reads Columns.
func Read(r *db.Row) *memory.Execution {
	e := &memory.Execution{Key: r.Key(memory.KindExecution)}
	var ok bool
	if e.AgentKey, e.TaskType, ok = memory.SplitProfileKey(r.Text()); !ok {
		r.Fail("its profile is gone")
	}
	executionScanner.Scan(e, r)
	r.Check(e.Check())
	return e
}

// foundColumns are those of an execution of which something may be gone.
var foundColumns = Columns + `, x.id IS NULL, n.key GLOB 'episode:*' AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.source = n.id AND f.type = 'FROM')`

func readFound(r *db.Row) *profiles.Found {
	found := &profiles.Found{Execution: *Read(r)}
	found.Unread, r.Err = r.Err, nil
	if r.Bool() {
		found.Unread = errors.New("something of it is gone")
	}
	found.Orphan = r.Bool()
	return found
}

var executionsOfProfile = `SELECT ` + foundColumns + ` FROM nodes o CROSS JOIN executions x ON x.profile = o.id JOIN nodes n ON n.id = x.id
	WHERE o.kind = 'learningProfile' AND o.key = :profile`

func executionsOf(ctx context.Context, c *db.Conn, profile string) (all []*profiles.Found, err error) {
	return all, c.Search(ctx, executionsOfProfile, func(r *db.Row) { all = append(all, readFound(r)) }, db.Arg("profile", profile))
}

// latestOf are executions of a profile, the latest first, that are older than a position.
const latestOf = ` AND (x.at, x.key) < (:at, :key) ORDER BY x.at DESC, x.key DESC LIMIT :limit OFFSET :skip`

var (
	windowOf = `SELECT x.key, x.at, x.quality FROM executions x WHERE ` + ofProfile + latestOf
	oldestOf = `SELECT x.at, x.key FROM executions x WHERE ` + ofProfile + latestOf
	pageOf   = `SELECT x.key, :profile, ` + db.Selected("x", fields.Execution(&memory.Execution{})) + ` FROM executions x WHERE ` + ofProfile + latestOf
)
