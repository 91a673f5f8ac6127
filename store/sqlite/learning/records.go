// Package learning keeps executions and the learning profiles that sum them up. Package profiles says how.
package learning

import (
	"context"
	"errors"
	"slices"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
)

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
