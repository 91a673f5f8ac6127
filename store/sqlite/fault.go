package sqlite

import (
	"errors"
	"fmt"

	driversqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"mneme/store"
)

// fault says of an error of the driver whether the database is out of reach for now: locked by
// another process, or a disk that is full, gone or read-only.
func fault(err error) error {
	var reported *driversqlite.Error
	if !errors.As(err, &reported) {
		return err
	}
	switch primary(reported) {
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_IOERR,
		codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_NOLFS:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// isBusy says whether another connection was in the way.
func isBusy(err error) bool {
	var reported *driversqlite.Error
	return errors.As(err, &reported) && (primary(reported) == codes.SQLITE_BUSY || primary(reported) == codes.SQLITE_LOCKED)
}

// primary is the result code without its extension.
func primary(err *driversqlite.Error) int { return err.Code() & 0xff }
