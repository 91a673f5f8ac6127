package store

import "errors"

// The errors of the contract. A backend wraps them where it has more to say.
var (
	ErrNotFound     = errors.New("not found")
	ErrConflict     = errors.New("exists with other content")
	ErrInvalid      = errors.New("invalid")
	ErrVectorLength = errors.New("the embedding has another length than the tenant's others")
	ErrUnavailable  = errors.New("the store is not available")
	// ErrForgotten is an item's where a tombstone keeps it from coming back.
	ErrForgotten = errors.New("was deleted for good")
	// ErrSchemaVersion is returned at opening where the data was written by a newer version of mneme.
	ErrSchemaVersion = errors.New("the data was written by a newer version")
)
