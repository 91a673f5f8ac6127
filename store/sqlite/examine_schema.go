package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"mneme/store"
	"mneme/store/lexical"
)

// integrity lets SQLite check its own structures, those of the word indexes included.
func (e *examiner) integrity() (diagnosis, error) {
	var says []string
	err := e.conn.search(e.ctx, `PRAGMA integrity_check(5)`, func(r *row) error {
		says = append(says, r.text())
		return nil
	})
	if err != nil || len(says) == 1 && says[0] == "ok" {
		return diagnosis{found: "SQLite finds the file whole"}, err
	}
	d := diagnosis{fault: "SQLite finds it damaged: " + strings.Join(says, "; "), remedy: restore(e.path)}
	if !slices.ContainsFunc(says, func(line string) bool {
		return !strings.HasSuffix(line, "main.words") && !strings.HasSuffix(line, "main.notes")
	}) {
		d.remedy, d.mend = wordsAnew, rebuildWords // which follow from the records
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
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return diagnosis{}, err
	}
	version, err := schemaVersion(e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("version %d", version)}
	switch lost, err := lostVersion(e.conn, version); {
	case err != nil:
		return d, err
	case lost:
		return e.withoutVersion(d)
	case e.isEmpty():
		d.found = "nothing was written yet"
	case version > len(steps):
		d.fault = fmt.Sprintf("version %d was written by a newer mneme; this one knows up to %d", version, len(steps))
		d.remedy = "Update this program."
	case version < len(steps):
		d.fault = fmt.Sprintf("version %d is older than this program's, %d", version, len(steps))
		d.remedy = "Make a backup; then let this version write to it, which migrates the file. There is no way back."
		d.mend = func(*conn) error { return nil } // to open the file is enough
	default:
		return e.compareSchema(d)
	}
	return d, nil
}

// withoutVersion tells of a file whose version cannot be read, as opening it goes about it.
func (e *examiner) withoutVersion(d diagnosis) (diagnosis, error) {
	missing, err := missingObjects(e.conn)
	if err != nil {
		return d, err
	}
	d.fault = "the setting user_version, the version of the schema, cannot be read or is wrong"
	if len(missing) > 0 {
		d.fault += ", and missing are " + strings.Join(missing, ", ")
		d.remedy = restore(e.path)
		return d, nil
	}
	d.remedy = "The schema is that of this program: let it write to it, which sets its version."
	d.mend = func(*conn) error { return nil } // to open the file is enough
	return d, nil
}

// compareSchema looks for the tables, columns and indexes that are missing from a file of the latest version, and for
// another text analysis.
func (e *examiner) compareSchema(d diagnosis) (diagnosis, error) {
	wanted, err := objectsOf(e.latest)
	if err != nil {
		return d, err
	}
	there, err := objectsOf(e.conn)
	if err != nil {
		return d, err
	}
	var tables, indexes, makeIndexes []string
	for _, name := range missingOf(wanted, there) {
		switch o := wanted[name]; {
		case o.kind == "index" && o.sql != "":
			indexes, makeIndexes = append(indexes, name), append(makeIndexes, o.sql)
		default:
			tables = append(tables, name)
		}
	}
	d.found += fmt.Sprintf(" with %d tables and indexes", len(wanted))
	switch analysis, err := e.analysis(tables); {
	case err != nil:
		return d, err
	case slices.Equal(tables, []string{settingsTable}):
		d.fault, d.remedy = "the table "+settingsTable+" is gone, and with it the setting "+settingInputKey, "Let this program write to it, which makes the table and what follows from records anew."
		d.mend = func(*conn) error { return nil } // to open the file is enough
	case len(tables) > 0 && !slices.ContainsFunc(tables, func(table string) bool { return !ofWords(table) }):
		d.fault, d.remedy, d.mend = "missing are "+strings.Join(tables, ", "), wordsAnew, rebuildWords
	case len(tables) > 0:
		d.fault, d.remedy = "missing are "+strings.Join(tables, ", "), restore(e.path)
	case len(indexes) > 0:
		d.fault = "missing are the indexes " + strings.Join(indexes, ", ") + ", without which reads are slow and keys may be taken twice"
		d.remedy = "Make them again: sqlite3 " + e.path + " '" + strings.Join(makeIndexes, "; ") + "'"
		d.mend = func(c *conn) error {
			if err := pingNodes(c); err != nil { // which makes the connection notice that they are gone
				return err
			}
			return scripts(makeIndexes...)(c)
		}
	case analysis != lexical.Version:
		d.fault = fmt.Sprintf("its words were analysed by version %d, those of this program by %d (0 where the setting analysis is gone or cannot be read)", analysis, lexical.Version)
		d.remedy = "Stop other versions of mneme, and let this one write to it, which makes the word index anew."
		d.mend = reindex
	}
	return d, nil
}

// analysis is the version of the text analysis, where there is a table that says so.
func (e *examiner) analysis(missing []string) (int, error) {
	if len(missing) > 0 {
		return lexical.Version, nil
	}
	return analysisVersion(e.conn)
}

// object is a table or an index, and the statement that makes it. Columns are those of a table that SQLite keeps itself.
type object struct {
	kind, sql string
	columns   []string
}

func objectsOf(c *conn) (map[string]object, error) {
	const read = `SELECT m.name, m.type, m.sql, (SELECT json_group_array(i.name) FROM pragma_table_info(m.name) i
			WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%')
		FROM main.sqlite_schema m WHERE m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	objects := map[string]object{}
	err := c.query(read, func(r *row) error {
		name := r.text()
		objects[name] = object{r.text(), r.text(), listOf[string](r)}
		return nil
	})
	return objects, err
}

// missingOf names the objects that are not there, and the columns of tables that are.
func missingOf(wanted, there map[string]object) (missing []string) {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		found, is := there[name]
		if !is {
			missing = append(missing, name)
			continue
		}
		for _, column := range wanted[name].columns {
			if !slices.Contains(found.columns, column) {
				missing = append(missing, name+"."+column)
			}
		}
	}
	return missing
}

// settings looks at the secret that tells whether a record sent again is the same. With the other settings go the parts
// that they are about.
func (e *examiner) settings() (diagnosis, error) {
	d := diagnosis{found: "can be read"}
	var lost *store.Damaged
	if err := lostInputKey(e.conn); errors.As(err, &lost) {
		d.fault, d.remedy = store.LostKeyText(settingInputKey)
		d.mend = makeInputKey
		return d, nil
	} else if err != nil {
		return d, err
	}
	return d, nil
}

// deleted says whether the file is still to be vacuumed, and whether it can be.
func (e *examiner) deleted() (diagnosis, error) {
	d := diagnosis{found: "nothing of it is left in the file"}
	state, err := setting(e.conn, settingVacuum, func(*row) {})
	if err != nil || state == settingMissing {
		return d, err
	}
	d.found = "some of it may still be in the file: mneme compact is due, or a server does it when nothing is written"
	if vacuuming(e.conn) {
		d.found = "some of it may still be in the file, which is being compacted, or was when that was broken off"
	}
	var none *store.NoRoom
	err = roomToVacuum(e.conn, e.path)
	switch {
	case state == settingUnreadable:
		d.fault = "the setting " + settingVacuum + " cannot be read, so what was deleted may still be in the file"
		d.remedy, d.mend = "Mark the file as to be compacted.", markVacuum
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
	length, err := prevailingLength(e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	const read = `SELECT count(*), total(length(vector) <> 4 * :length) FROM embeddings`
	if _, err := e.conn.one(read, func(r *row) { all, wrong = r.int(), int(r.float()) }, arg("length", length)); err != nil {
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
	state, err := setting(e.conn, settingVectorLength, func(r *row) { fixed = r.int() })
	switch {
	case err != nil:
		return "", err
	case state == settingUnreadable:
		return "the setting " + settingVectorLength + " cannot be read", nil
	case state == settingMissing && vectors > 0:
		return "the setting " + settingVectorLength + " is gone", nil
	case fixed != length:
		return fmt.Sprintf("the setting %s is %d, and the vectors have %d numbers", settingVectorLength, fixed, length), nil
	}
	return "", nil
}

// mendVectors fixes the length that the vectors have, and removes those of another.
func mendVectors(c *conn) error {
	length, err := prevailingLength(c)
	if err != nil {
		return err
	}
	if err := c.exec(`DELETE FROM embeddings WHERE length(vector) <> 4 * :length`, arg("length", length)); err != nil {
		return err
	}
	if length == 0 {
		return c.exec(`DELETE FROM settings WHERE name = :name`, arg("name", settingVectorLength))
	}
	return setSetting(c, settingVectorLength, length)
}
