package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// CopyAs copies the database, as it is at one moment, into a file for its owner only, in place of one that is there or
// only where none is (fs.ErrExist). It has another name until it is whole, so that what a killed process leaves is not
// taken for a copy. The copy keeps no log.
func (c *Conn) CopyAs(ctx context.Context, path string, replace bool) error {
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	err = c.Script(`PRAGMA query_only = 0`) // which forbids to write any file
	if err == nil {
		err = errors.Join(c.Run(ctx, `VACUUM INTO '`+strings.ReplaceAll(part.Name(), "'", "''")+`'`), c.Script(`PRAGMA query_only = 1`))
	}
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil && !replace {
		var place *os.File // else another copy that was made meanwhile would be lost
		if place, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			err = place.Close()
		}
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
