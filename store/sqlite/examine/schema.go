package examine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/file"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/schema"
	"mneme/store/sqlite/words"
)

// integrity lets SQLite check its own structures, those of the word indexes included.
func (e *examiner) integrity() (diagnosis, error) {
	var says []string
	err := e.conn.Search(e.ctx, `PRAGMA integrity_check(5)`, func(r *db.Row) error {
		says = append(says, r.Text())
		return nil
	})
	if err != nil || len(says) == 1 && says[0] == "ok" {
		return diagnosis{found: "SQLite finds the file whole"}, err
	}
	d := diagnosis{fault: "SQLite finds it damaged: " + strings.Join(says, "; "), remedy: restore(e.path)}
	if !slices.ContainsFunc(says, func(line string) bool {
		return !strings.HasSuffix(line, "main.words") && !strings.HasSuffix(line, "main.notes")
	}) {
		d.remedy, d.mend = wordsAnew, words.Rebuild // which follow from the records
	}
	return d, nil
}

// isEmpty says whether nothing was ever written.
func (e *examiner) isEmpty() bool {
	objects, err := e.count(`SELECT count(*) FROM sqlite_schema`)
	return err == nil && objects == 0
}

// schema compares the file's schema with that of this version.
func (e *examiner) schema() (diagnosis, error) {
	version, err := schema.VersionOf(e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("version %d", version)}
	switch {
	case e.isEmpty():
		d.found = "nothing was written yet"
	case version != schema.Version:
		d.fault = fmt.Sprintf("version %d is not that of this program, %d", version, schema.Version)
		d.remedy = "Export it with the version that made it, and import it here."
	default:
		return e.compareSchema(d)
	}
	return d, nil
}

// compareSchema looks for the tables, columns and indexes that are missing.
func (e *examiner) compareSchema(d diagnosis) (diagnosis, error) {
	wanted, err := schema.LatestObjects()
	if err != nil {
		return d, err
	}
	there, err := schema.ObjectsOf(e.conn)
	if err != nil {
		return d, err
	}
	var tables, indexes, makeIndexes []string
	for _, name := range schema.MissingOf(wanted, there) {
		switch o := wanted[name]; {
		case o.Kind == "index" && o.SQL != "":
			indexes, makeIndexes = append(indexes, name), append(makeIndexes, o.SQL)
		default:
			tables = append(tables, name)
		}
	}
	d.found += fmt.Sprintf(" with %d tables and indexes", len(wanted))
	switch {
	case len(tables) > 0 && !slices.ContainsFunc(tables, func(table string) bool { return !words.Owns(table) }):
		d.fault, d.remedy, d.mend = "missing are "+strings.Join(tables, ", "), wordsAnew, words.Rebuild
	case len(tables) > 0:
		d.fault, d.remedy = "missing are "+strings.Join(tables, ", "), restore(e.path)
	case len(indexes) > 0:
		d.fault = "missing are the indexes " + strings.Join(indexes, ", ") + ", without which reads are slow and keys may be taken twice"
		d.remedy = "Make them again: sqlite3 " + e.path + " '" + strings.Join(makeIndexes, "; ") + "'"
		d.mend = func(c *db.Conn) error {
			if err := graph.Ping(c); err != nil { // which makes the connection notice that they are gone
				return err
			}
			return db.Scripts(makeIndexes...)(c)
		}
	}
	return d, nil
}

// settings looks at the secret that tells whether a record sent again is the same. With the other settings go the parts
// that they are about.
func (e *examiner) settings() (diagnosis, error) {
	d := diagnosis{found: "can be read"}
	var lost *store.Damaged
	if err := schema.LostInputKey(e.conn); errors.As(err, &lost) {
		d.fault, d.remedy = store.LostKeyText(schema.SettingInputKey)
		d.mend = schema.MakeInputKey
		return d, nil
	} else if err != nil {
		return d, err
	}
	return d, nil
}

// deleted says whether the file is still to be vacuumed, and whether it can be.
func (e *examiner) deleted() (diagnosis, error) {
	d := diagnosis{found: "nothing of it is left in the file"}
	state, err := schema.Setting(e.conn, schema.SettingVacuum, func(*db.Row) {})
	if err != nil || state == schema.SettingMissing {
		return d, err
	}
	d.found = "some of it may still be in the file: mneme compact is due, or a server does it when nothing is written"
	if schema.Vacuuming(e.conn) {
		d.found = "some of it may still be in the file, which is being compacted, or was when that was broken off"
	}
	var none *store.NoRoom
	err = file.RoomToVacuum(e.conn, e.path)
	switch {
	case state == schema.SettingUnreadable:
		d.fault = "the setting " + schema.SettingVacuum + " cannot be read, so what was deleted may still be in the file"
		d.remedy, d.mend = "Mark the file as to be compacted.", schema.MarkVacuum
	case errors.As(err, &none):
		d.fault, d.remedy = "some of it may still be in the file: "+none.Error(), "Make room on the disk, then: mneme compact"
	default:
		return d, err
	}
	return d, nil
}

// vectors looks for embeddings of another length than the others, and whether that is the one which was fixed.
func (e *examiner) vectors() (diagnosis, error) {
	all, wrong := 0, 0
	length, err := graph.PrevailingLength(e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	const read = `SELECT count(*), total(length(vector) <> 4 * :length) FROM embeddings`
	if _, err := e.conn.One(read, func(r *db.Row) { all, wrong = r.Int(), int(r.Float()) }, db.Arg("length", length)); err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d embeddings", all)}
	var faults, remedies []string
	if fault, err := e.fixedLength(length, all); err != nil {
		return d, err
	} else if fault != "" {
		faults, remedies = append(faults, fault), append(remedies, "Set it as the vectors are.")
	}
	if wrong > 0 {
		faults = append(faults, fmt.Sprintf("%d of %d embeddings have another length than was fixed", wrong, all))
		remedies = append(remedies, "Remove them: these episodes are then found by their words. Recording them again, or an import into an empty data directory, gives them others.")
	}
	if len(faults) > 0 {
		d.fault, d.remedy, d.mend = strings.Join(faults, ", "), strings.Join(remedies, " "), mendVectors
	}
	return d, nil
}

// fixedLength says what is wrong with the length that was fixed, where the vectors have another; "" for nothing.
func (e *examiner) fixedLength(length, vectors int) (fault string, err error) {
	fixed := 0
	state, err := schema.Setting(e.conn, schema.SettingVectorLength, func(r *db.Row) { fixed = r.Int() })
	switch {
	case err != nil:
		return "", err
	case state == schema.SettingUnreadable:
		return "the setting " + schema.SettingVectorLength + " cannot be read", nil
	case state == schema.SettingMissing && vectors > 0:
		return "the setting " + schema.SettingVectorLength + " is gone", nil
	case fixed != length:
		return fmt.Sprintf("the setting %s is %d, and the vectors have %d numbers", schema.SettingVectorLength, fixed, length), nil
	}
	return "", nil
}

// mendVectors fixes the length that the vectors have, and removes those of another.
func mendVectors(c *db.Conn) error {
	length, err := graph.PrevailingLength(c)
	if err != nil {
		return err
	}
	if err := c.Exec(`DELETE FROM embeddings WHERE length(vector) <> 4 * :length`, db.Arg("length", length)); err != nil {
		return err
	}
	if length == 0 {
		return c.Exec(`DELETE FROM settings WHERE name = :name`, db.Arg("name", schema.SettingVectorLength))
	}
	return schema.SetSetting(c, schema.SettingVectorLength, length)
}
