// Package faults turns what stores answer into the errors of the API, and gathers what reads leave out.
package faults

import (
	"context"
	"errors"
	"slices"
	"sync"

	"mneme/memory"
	"mneme/store"
)

// Of turns a store's error into the domain's. subject names what the call was about, in the words of
// the API ("the episode"); an unexpected error becomes INTERNAL with the cause kept for the log.
func Of(subject string, err error) error {
	var known *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case damagedError(err) != nil:
		return damagedError(err)
	case errors.Is(err, store.ErrNotFound):
		return &memory.Error{Code: memory.CodeNotFound, Field: "id", Message: subject + " does not exist", Cause: err}
	case errors.Is(err, store.ErrForgotten):
		return &memory.Error{Code: memory.CodeConflict, Field: "id", Message: subject + " was deleted for good", Cause: err}
	case errors.Is(err, store.ErrConflict):
		return &memory.Error{Code: memory.CodeConflict, Field: "id", Message: subject + " exists with other content", Cause: err}
	case errors.Is(err, store.ErrVectorLength):
		return &memory.Error{Code: memory.CodeInvalidInput, Field: "embedding", Message: "has another length than the embeddings recorded before", Cause: err}
	case errors.Is(err, store.ErrInvalid):
		return &memory.Error{Code: memory.CodeInvalidInput, Message: subject + " cannot be as given: " + err.Error(), Cause: err}
	case errors.Is(err, store.ErrTooMuch):
		return &memory.Error{
			Code: memory.CodeLimitExceeded, Message: subject + " takes more work than a request may; ask for less: narrower filters, shorter lists", Cause: err,
		}
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrSchemaVersion):
		return &memory.Error{Code: memory.CodeUnavailable, Message: whyUnavailable(err), Cause: err}
	default:
		return &memory.Error{Code: memory.CodeInternal, Message: "internal error", Cause: err}
	}
}

// whyUnavailable says why a store cannot do now what it can do otherwise.
func whyUnavailable(err error) string {
	switch {
	case errors.Is(err, store.ErrSchemaVersion):
		return "the data was " + store.ErrSchemaVersion.Error() + ": export it with that one, import it here; or serve it with a later version"
	case errors.Is(err, store.ErrDiskFull):
		return "the disk is full: nothing is written until there is room"
	case errors.Is(err, store.ErrReadOnly):
		return "the disk is read-only: nothing can be written"
	case errors.Is(err, store.ErrReplaced):
		return "the file of this memory was removed or replaced while it was in use: put it back, or start mneme anew"
	case errors.Is(err, store.ErrStaleLog):
		return "the file of this memory is not the one to which the -wal file beside it belongs: stop mneme, and put a backup in place with mneme restore"
	case errors.Is(err, store.ErrForeign):
		return "the store is a database of another program; the server needs another data directory"
	default:
		return "the store cannot be reached; try again"
	}
}

// Unreadable gathers the unreadable records that reads left out, for a front end, each once. The zero value is ready.
type Unreadable struct{ damage store.Damage }

// Within lets reads of a context tell of what they leave out.
func (u *Unreadable) Within(ctx context.Context) context.Context {
	return store.WithDamage(ctx, u.damage.Note)
}

// Errors are those so far, by the ids of the records.
func (u *Unreadable) Errors() []*memory.Error {
	return memory.Mapped(u.damage.Found(), unreadable)
}

func unreadable(damaged *store.Damaged) *memory.Error {
	message := damaged.ID() + " cannot be read, and is left out; mneme doctor tells more"
	switch damaged.Kind {
	case store.KindSetting:
		message = "the setting " + damaged.Key + " of the store is gone or cannot be read; mneme doctor says what to do"
	case store.KindAccessKey:
		message = "the key " + damaged.Key + " cannot be read, and opens nothing; mneme keys revoke " + damaged.Key + " ends it"
	}
	return &memory.Error{Code: memory.CodeDamaged, ID: damaged.ID(), Cause: damaged, Message: message}
}

// damagedError is the domain's error for a call that is about one damaged record; nil where err is another.
func damagedError(err error) *memory.Error {
	damaged, ok := errors.AsType[*store.Damaged](err)
	if !ok {
		return nil
	}
	refused := unreadable(damaged)
	if damaged.Kind != store.KindSetting {
		refused.Message = damaged.ID() + " cannot be read; mneme doctor tells more"
	}
	return refused
}

// WasForgotten says whether an import left a record out because it, or whose it is, was deleted for good.
func WasForgotten(err error) bool { return errors.Is(err, store.ErrForgotten) }

// Unknown gathers, for a front end, the names that reads asked for and nobody knows. The zero value is ready.
type Unknown struct {
	mu    sync.Mutex
	names []UnknownName
}

// UnknownName is a name of which nothing is known.
type UnknownName struct {
	Field   string `json:"field"` // which gave it, as the API names it
	Message string `json:"message"`
}

type unknownKey struct{}

// Within lets reads of a context tell of such names.
func (u *Unknown) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, unknownKey{}, u)
}

// Names are those so far, each once.
func (u *Unknown) Names() []UnknownName {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.names)
}

// NoteUnknown tells of a name where a context asks for such (see Unknown.Within).
func NoteUnknown(ctx context.Context, name UnknownName) {
	u, asked := ctx.Value(unknownKey{}).(*Unknown)
	if !asked {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.names, name) {
		u.names = append(u.names, name)
	}
}
