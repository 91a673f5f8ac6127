package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"mneme/store"
)

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
