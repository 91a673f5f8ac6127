package service

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
)

// CompactStep is how far the files are written anew.
type CompactStep = store.CompactStep

// Compacted is how long the files were and are, in bytes.
type Compacted struct {
	Before int64  `json:"before"`
	After  int64  `json:"after"`
	Note   string `json:"note,omitempty"` // why nothing was done
}

// Compact writes the files anew without what was deleted, after which they hold nothing of it, and tells how far it is.
// It is UNAVAILABLE where the disk has no room for that; then it stays due.
func (u *Upkeep) Compact(ctx context.Context, tell func(CompactStep)) (*Compacted, error) {
	compacter, can := u.store.(store.Compacter)
	if !can {
		return &Compacted{Note: "there is nothing for mneme to do: Neo4j looks after its files itself. Deleted bytes stay in them until their space is used again; " +
			"to be rid of them, import an export into a new database"}, nil
	}
	sizes, err := compacter.Compact(store.Unmetered(ctx), tell)
	var none *store.NoRoom
	switch {
	case errors.As(err, &none):
		return nil, &memory.Error{Code: memory.CodeUnavailable, Message: none.Error() + ": it stays due; make room, then mneme compact", Cause: err}
	case err != nil:
		return nil, fault("the store", err)
	}
	return &Compacted{Before: sizes.Before, After: sizes.After}, nil
}
