package graph

import (
	"encoding/base64"

	"mneme/store"
)

// HashText is the hash of an input as a node keeps it; "" for none.
func HashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

// CompareInput says what becomes of a record with a key, and notes its hash where it is new.
func CompareInput(hashes map[string]string, key string, inputHash []byte, former *store.Former) store.Recorded {
	switch known, found := hashes[key]; {
	case !found:
		hashes[key] = HashText(inputHash)
		return store.Recorded{Key: key, Created: true}
	case !sameInput(known, inputHash, former):
		return store.Recorded{Key: key, Err: store.ErrConflict}
	}
	return store.Recorded{Key: key}
}

// sameInput is store.SameInput for a hash as it is kept.
func sameInput(kept string, inputHash []byte, former *store.Former) bool {
	recorded, err := base64.RawStdEncoding.DecodeString(kept)
	return err == nil && store.SameInput(recorded, inputHash, former)
}
