package examine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/passages"
	"mneme/store/sqlite/schema"
)

// ofIndexes are the faults of an integrity check that making the indexes anew puts right.
var ofIndexes = regexp.MustCompile(`main\.passage_words$|(missing from|in) index \w+$`)

// integrity lets SQLite check its own structures, those of the word indexes included.
func (e *examiner) integrity(ctx context.Context) (store.Finding, error) {
	var says []string
	err := e.conn.Search(ctx, `PRAGMA integrity_check(5)`, func(r *db.Row) {
		says = append(says, r.Text())
	})
	if err != nil || len(says) == 1 && says[0] == "ok" {
		return store.Finding{Found: "SQLite finds the file whole"}, err
	}
	d := store.Finding{Fault: "SQLite finds it damaged: " + strings.Join(says, "; "), Remedy: store.RemedyRebuild}
	if slices.ContainsFunc(says, func(line string) bool { return !ofIndexes.MatchString(line) }) {
		d.Remedy = restore(e.path)
	}
	return d, nil
}

// nothingYet is found of a file that has no schema.
const nothingYet = "nothing was written yet"

// schema compares the file's schema with that of this program.
func (e *examiner) schema() (store.Finding, error) {
	marks, err := e.conn.Marks()
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
	there, err := schema.ObjectsOf(e.conn)
	missing := schema.MissingOf(wanted, there)
	d := store.Finding{Found: fmt.Sprintf("version %d with %d tables and indexes", marks.Version, len(wanted))}
	if len(missing) > 0 {
		d.Fault, d.Remedy = "missing are "+strings.Join(missing, ", "), store.RemedyRebuild
	}
	if slices.ContainsFunc(missing, func(name string) bool {
		return wanted[name].Kind != "index" && !passages.Owns(name)
	}) {
		d.Remedy = restore(e.path)
	}
	return d, err
}

// deleted says whether the file is still to be vacuumed, and whether it can be.
func (e *examiner) deleted() (store.Finding, error) {
	d := store.Finding{Found: "nothing of it is left in the file"}
	state, err := schema.Setting(e.conn, schema.SettingVacuum, func(*db.Row) {})
	if err != nil || state == schema.SettingMissing {
		return d, err
	}
	d.Found = "some of it may still be in the file: mneme compact is due, or a server does it when nothing is written"
	if schema.Vacuuming(e.conn) {
		d.Found = "some of it may still be in the file, which is being compacted, or was when that was broken off"
	}
	var none *store.NoRoom
	if err := file.RoomToVacuum(e.conn, e.path); errors.As(err, &none) {
		d.Fault, d.Remedy = "some of it may still be in the file: "+none.Error(), "Make room on the disk, then: mneme compact"
	} else if err != nil {
		return d, err
	}
	return d, nil
}
