package graph

import (
	"encoding/base64"

	"mneme/store"
)

// HashText is the hash of an input as a node keeps it; "" for none.
func HashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

// CompareInput says what becomes of a record with a key, and notes its hash where it is new.
func CompareInput(hashes map[string]string, key string, inputHash []byte) store.Recorded {
	switch known, found := hashes[key]; {
	case !found:
		hashes[key] = HashText(inputHash)
		return store.Recorded{Key: key, Created: true}
	case known != HashText(inputHash):
		return store.Recorded{Key: key, Err: store.ErrConflict}
	}
	return store.Recorded{Key: key}
}
