package store

import (
	"errors"
	"fmt"
)

// The errors of the contract. A backend wraps them where it has more to say.
var (
	ErrNotFound     = errors.New("not found")
	ErrConflict     = errors.New("exists with other content")
	ErrInvalid      = errors.New("invalid")
	ErrVectorLength = errors.New("the embedding has another length than the tenant's others")
	ErrUnavailable  = errors.New("the store is not available")
	// ErrDiskFull and ErrReadOnly are why a store can be read and not be written. Both are ErrUnavailable.
	ErrDiskFull = fmt.Errorf("%w: the disk is full", ErrUnavailable)
	ErrReadOnly = fmt.Errorf("%w: the disk is read-only", ErrUnavailable)
	// ErrReplaced is that of a file which was removed, or another put in its place, while it was open.
	ErrReplaced = fmt.Errorf("%w: its file was removed or replaced while it was open", ErrUnavailable)
	// ErrStaleLog is that of a file beside the write-ahead log of another.
	ErrStaleLog = fmt.Errorf("%w: the -wal file beside its file belongs to another", ErrUnavailable)
	// ErrKeysLost is that of a deployment for which keys were made, and where there are none.
	ErrKeysLost = errors.New("its keys are gone")
	// ErrTooMuch is that of a request which the database gave up, because it took too long or too much memory.
	ErrTooMuch = errors.New("takes more work than a request may")
	// ErrForgotten is an item's where a tombstone keeps it from coming back.
	ErrForgotten = errors.New("was deleted for good")
	// ErrForeign is that of data which is not mneme's. It is left as it is.
	ErrForeign = errors.New("it is a database of another program: use another data directory")
	// ErrSchemaVersion is returned on opening where the data has another schema number. Nothing is changed.
	ErrSchemaVersion = errors.New("made by another version")
)

// Differs is ErrConflict that says which fact of a record is another than the one that was sent.
type Differs struct {
	Field string // as the API names it
	Has   string // what the record has; empty where that is not told
}

func (d *Differs) Error() string { return ErrConflict.Error() + ": " + d.Field }

// Unwrap is for errors.Is.
func (d *Differs) Unwrap() error { return ErrConflict }

// OtherVersion is ErrSchemaVersion of data whose schema has another number than this version's, with what to do.
func OtherVersion(number any, own int) error {
	remedy := "export it with that one, import it here"
	if n, ok := number.(int64); ok && n > int64(own) {
		remedy = "it needs a later version than this one"
	}
	return fmt.Errorf("%w: %s (its schema has the number %v, that of this mneme %d)", ErrSchemaVersion, remedy, number, own)
}
