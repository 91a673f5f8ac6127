package sqlite

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/invariants"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// Examine looks at the directory and into every tenant's file; see store.Examiner.
func (b *Backend) Examine(ctx context.Context) ([]store.Finding, error) {
	if b.IsClosed() {
		return nil, file.ErrClosed
	}
	files, err := filesIn(b.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	maps.DeleteFunc(files, func(name string, _ fs.FileInfo) bool { // those of other programs
		owner, _, _ := strings.Cut(name, ".db")
		return file.IsData(name) && file.IsForeign(ctx, b.PathOf(owner), b.BusyTimeout)
	})
	findings := []store.Finding{examineFiles(b.Dir, files), ownership(b.Dir, files), examineLeftovers(b.Dir, files)}
	ids, err := file.Tenants(b.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	for _, id := range ids {
		found, err := b.ExamineTenant(ctx, id)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return append(findings, store.ExamineKeys(ctx, b)), ctx.Err()
}

// examiner reads one tenant's file as it is at one moment.
type examiner struct {
	*db.Conn
	path string
}

// ExamineTenant looks at one tenant's file, and where it has this version's schema at what is in it; see
// store.Examiner.
func (b *Backend) ExamineTenant(ctx context.Context, id string) (findings []store.Finding, err error) {
	e := &examiner{path: b.PathOf(id)}
	_, missing := os.Stat(e.path)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case b.IsClosed():
		return nil, file.ErrClosed
	case errors.Is(missing, os.ErrNotExist):
		return nil, nil
	case file.IsForeign(ctx, e.path, b.BusyTimeout):
		return []store.Finding{{
			Tenant: id, Part: "schema", Fault: "it is a database of another program",
			Remedy: "Move " + e.path + " elsewhere, or name another data directory. It is left as it is.",
		}}, nil
	}
	if e.Conn, err = file.ConnectToRead(ctx, e.path, b.BusyTimeout); err == nil {
		defer func() { err = errors.Join(err, e.Close()) }()
		err = e.Script(views + `PRAGMA query_only = 1; BEGIN`) // views are made before writing is forbidden
	}
	if err != nil {
		found, _ := e.Unread(err)
		found.Tenant, found.Part = id, "integrity"
		return []store.Finding{found}, ctx.Err()
	}
	e.Vectors, e.Embeddings = !b.WithoutVectors, b.Embeddings
	findings, err = invariants.Examine(ctx, id, e, "integrity", "schema")
	if err != nil || findings[1].Fault != "" || findings[1].Found == nothingYet {
		return findings, err
	}
	found, err := invariants.Examine(ctx, id, e, invariants.Parts...)
	return append(findings, found...), err
}

//go:embed invariants.sql
var invariantsSQL string

// checkHeading begins a view of invariants.sql, or a check.
var checkHeading = regexp.MustCompile(`(?m)^-- (view|check) (\w+)\n`)

// views is a script that makes all views, for one connection; mends are what put right what those of checks find.
var views, mends = func() (views string, mends map[string]string) {
	mends = map[string]string{}
	bodies := checkHeading.Split(invariantsSQL, -1)[1:]
	for i, found := range checkHeading.FindAllStringSubmatch(invariantsSQL, -1) {
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
		wrong, err := learning.Missummed(ctx, e.Conn)
		return len(wrong), true, err
	case "unsaid":
		broken, err := passages.CountWrong(ctx, e.Conn)
		return broken, true, err
	case "uncounted":
		from = learning.Uncounted
	default:
		if _, known := mends[invariant]; !known {
			return 0, false, nil
		}
	}
	found, err := e.Number(ctx, `SELECT count(*) `+from)
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
		found, count, err := unreadableIn(ctx, e.Conn)
		return invariants.Unreadable(found, count), err
	case "traces":
		return e.traces(ctx)
	case "meanings":
		if !e.Vectors {
			return store.Finding{Found: store.NoMeaningsText}, nil
		}
		made, due, err := passages.Vectors(ctx, e.Conn)
		return store.Finding{Found: store.MeaningsText(made, due)}, err
	}
	return store.Finding{}, nil
}

// Unread tells that a part cannot be read, which is a fault of that part; see invariants.Memory.
func (e *examiner) Unread(err error) (store.Finding, error) {
	return store.Finding{Fault: "it cannot be read: " + err.Error(), Remedy: e.restore()}, nil
}

// restore is the remedy for what is lost.
func (e *examiner) restore() string {
	return fmt.Sprintf("Stop mneme and put a backup in the place of %[1]s: mneme restore FILE. Without a backup, "+
		"save what can be read: sqlite3 %[1]s .recover | sqlite3 recovered.db", e.path)
}

// settings looks at what a tenant keeps once.
func (e *examiner) settings() (store.Finding, error) {
	var lost *store.Damaged
	if err := schema.LostInputKey(e.Conn); err != nil && !errors.As(err, &lost) {
		return store.Finding{}, err
	}
	length, err := graph.PrevailingLength(e.Conn)
	if err != nil {
		return store.Finding{}, err
	}
	value, there, err := schema.Setting(e.Conn, schema.SettingVectorLength)
	fixed, sound := value.(int64)
	if there && !sound {
		fixed = invariants.InvalidLength
	}
	return invariants.Settings(lost, schema.SettingVectorLength, int(fixed), length), err
}

// traces looks for traces that cannot be made episodes.
func (e *examiner) traces(ctx context.Context) (store.Finding, error) {
	held, err := e.Number(ctx, `SELECT count(DISTINCT trace) FROM spans`)
	if err != nil {
		return store.Finding{}, err
	}
	const find = `SELECT format('%s (%d times: %s)', trace, failures, reason) FROM failing_traces WHERE failures >= :many ORDER BY trace`
	failing, err := db.AllWithin(ctx, e.Conn, find, (*db.Row).Text, db.Arg("many", store.ManyFailures))
	return invariants.Traces(int(held), failing), err
}

// ofIndexes are the faults of an integrity check that making the indexes anew puts right.
var ofIndexes = regexp.MustCompile(`main\.passage_words$|(missing from|in) index \w+$`)

// integrity lets SQLite check its own structures, those of the word indexes included.
func (e *examiner) integrity(ctx context.Context) (store.Finding, error) {
	var says []string
	err := e.Search(ctx, `PRAGMA integrity_check(5)`, func(r *db.Row) {
		says = append(says, r.Text())
	})
	if err != nil || len(says) == 1 && says[0] == "ok" {
		return store.Finding{Found: "SQLite finds the file whole"}, err
	}
	d := store.Finding{Fault: "SQLite finds it damaged: " + strings.Join(says, "; "), Remedy: store.RemedyRebuild}
	if slices.ContainsFunc(says, func(line string) bool { return !ofIndexes.MatchString(line) }) {
		d.Remedy = e.restore()
	}
	return d, nil
}

// nothingYet is found of a file that has no schema.
const nothingYet = "nothing was written yet"

// schema compares the file's schema with that of this program.
func (e *examiner) schema() (store.Finding, error) {
	marks, err := e.Marks()
	if err != nil || marks.Objects == 0 {
		return store.Finding{Found: nothingYet}, err
	}
	if marks.Version != schema.Version {
		return store.Finding{
			Fault:  fmt.Sprintf("version %d is not that of this program, %d", marks.Version, schema.Version),
			Remedy: "Export it with the version that made it, and import it here.",
		}, nil
	}
	wanted, err := schema.LatestObjects()
	if err != nil {
		return store.Finding{}, err
	}
	there, err := schema.ObjectsOf(e.Conn)
	missing := schema.MissingOf(wanted, there)
	d := store.Finding{Found: fmt.Sprintf("version %d with %d tables and indexes", marks.Version, len(wanted))}
	if len(missing) > 0 {
		d.Fault, d.Remedy = "missing are "+strings.Join(missing, ", "), store.RemedyRebuild
	}
	if slices.ContainsFunc(missing, func(name string) bool {
		return wanted[name].Kind != "index" && !passages.Owns(name)
	}) {
		d.Remedy = e.restore()
	}
	return d, err
}

// deleted says whether the file is still to be vacuumed.
func (e *examiner) deleted() (store.Finding, error) {
	_, due, err := schema.Setting(e.Conn, schema.SettingVacuum)
	if due {
		return store.Finding{Found: "some of it may still be in the file: mneme compact is due, or a server does it when nothing is written"}, err
	}
	return store.Finding{Found: "nothing of it is left in the file"}, err
}
