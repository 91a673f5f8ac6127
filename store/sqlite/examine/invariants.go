package examine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

//go:embed invariants.sql
var invariantsSQL string

// heading begins a view of invariants.sql, or a check.
var heading = regexp.MustCompile(`(?m)^-- (view|check) (\w+)\n`)

// views is a script that makes all views, for one connection; mends are what put right what those of checks find.
var views, mends = func() (views string, mends map[string]string) {
	mends = map[string]string{}
	bodies := heading.Split(invariantsSQL, -1)[1:]
	for i, found := range heading.FindAllStringSubmatch(invariantsSQL, -1) {
		query, mend, _ := strings.Cut(bodies[i], "-- mend\n")
		views += fmt.Sprintf("CREATE TEMP VIEW IF NOT EXISTS %s AS\n%s;\n", found[2], query)
		if found[1] == "check" {
			mends[found[2]] = mend
		}
	}
	return views, mends
}()

// Count says how often an invariant is broken; see invariants.Memory.
func (e *examiner) Count(ctx context.Context, invariant string) (broken int, known bool, err error) {
	from := `FROM temp.` + invariant
	switch invariant {
	case "missummed":
		wrong, err := learning.Missummed(ctx, e.conn)
		return len(wrong), true, err
	case "unsaid":
		broken, err := passages.CountWrong(ctx, e.conn)
		return broken, true, err
	case "uncounted":
		from = learning.Uncounted
	default:
		if _, known := mends[invariant]; !known {
			return 0, false, nil
		}
	}
	found, err := e.conn.Number(ctx, `SELECT count(*) `+from)
	return int(found), true, err
}

// Look examines what is more than invariants; see invariants.Memory.
func (e *examiner) Look(ctx context.Context, part string) (store.Finding, error) {
	switch part {
	case "integrity":
		return e.integrity(ctx)
	case "schema":
		return e.schema()
	case "settings":
		return e.settings()
	case "what was deleted":
		return e.deleted()
	case "records":
		found, count, err := e.unreadable(ctx, e.conn)
		return invariants.Unreadable(found, count), err
	case "traces":
		return e.traces(ctx)
	case "meanings":
		if !e.conn.Vectors {
			return store.Finding{Found: store.NoMeaningsText}, nil
		}
		made, due, err := passages.Vectors(ctx, e.conn)
		return store.Finding{Found: store.MeaningsText(made, due)}, err
	}
	return store.Finding{}, nil
}

// Unread tells that a part cannot be read, which is a fault of that part; see invariants.Memory.
func (e *examiner) Unread(err error) (store.Finding, error) { return unread(e.path, err), nil }

// settings looks at what a tenant keeps once.
func (e *examiner) settings() (store.Finding, error) {
	var lost *store.Damaged
	if err := schema.LostInputKey(e.conn); err != nil && !errors.As(err, &lost) {
		return store.Finding{}, err
	}
	length, err := graph.PrevailingLength(e.conn)
	if err != nil {
		return store.Finding{}, err
	}
	fixed := 0
	state, err := schema.Setting(e.conn, schema.SettingVectorLength, func(r *db.Row) { fixed = r.Int() })
	if state == schema.SettingUnreadable {
		fixed = invariants.InvalidLength
	}
	return invariants.Settings(lost, schema.SettingVectorLength, fixed, length), err
}

// traces looks for traces that cannot be made episodes.
func (e *examiner) traces(ctx context.Context) (store.Finding, error) {
	held, err := e.conn.Number(ctx, `SELECT count(DISTINCT trace) FROM spans`)
	if err != nil {
		return store.Finding{}, err
	}
	const find = `SELECT format('%s (%d times: %s)', trace, failures, reason) FROM failing_traces WHERE failures >= :many ORDER BY trace`
	failing, err := db.AllWithin(ctx, e.conn, find, (*db.Row).Text, db.Arg("many", store.ManyFailures))
	return invariants.Traces(int(held), failing), err
}
