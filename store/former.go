package store

import (
	"bytes"
	"slices"
)

// Former is how earlier versions of mneme would have known what is to be written, so that it is the same for them
// and for this one. It is not kept, and no export has it.
type Former struct {
	// Hashes are the hashes that its input has had.
	Hashes [][]byte
	// IDs are other ids of the record and of whose it is, the tombstones of which keep it out too.
	IDs []string
	// Action is another id of an action of a canvas; empty for none.
	Action string
}

// SameInput says whether a record with a hash was written of the input with the given hash and former ones.
func SameInput(recorded, hash []byte, former *Former) bool {
	return bytes.Equal(recorded, hash) || slices.ContainsFunc(former.Hashes, func(h []byte) bool { return bytes.Equal(recorded, h) })
}
