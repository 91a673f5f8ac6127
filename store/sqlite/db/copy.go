package db

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// pagesPerStep is how much of a backup is copied between two looks at the context.
const pagesPerStep = 1024

// CopyTo copies the database into a file, as it is when the first page is copied within a transaction. The copy keeps
// no log, until it is opened to be used.
func (c *Conn) CopyTo(ctx context.Context, path string, busyTimeout time.Duration) (err error) {
	backup, err := c.driver.NewBackup(DSN(path, busyTimeout))
	if err != nil {
		return fault(fmt.Errorf("backup to %s: %w", path, err))
	}
	defer func() {
		if err = errors.Join(err, fault(backup.Finish())); err != nil {
			return
		}
		var copied *Conn
		if copied, err = Connect(ctx, DSN(path, busyTimeout, "journal_mode(delete)")); err == nil {
			err = copied.Close()
		}
	}()
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more, err = backup.Step(pagesPerStep); err != nil {
			return fault(fmt.Errorf("backup to %s: %w", path, err))
		}
	}
	return nil
}
