package graph

import (
	"encoding/base64"

	"mneme/store"
)

// HashText is the hash of an input as a node keeps it; "" for none.
func HashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

// HashOf reads the hash of an input; what is none equals no other.
func HashOf(text string) []byte {
	hash, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return []byte(text)
	}
	return hash
}

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

// Fresh tells what becomes of records, by their keys and the hashes of their inputs, and which are new.
func Fresh[R any](records []R, hashes map[string]string, input func(*R) (key string, hash []byte)) (recorded []store.Recorded, fresh []*R) {
	recorded = make([]store.Recorded, len(records))
	for i := range records {
		key, hash := input(&records[i])
		if recorded[i] = CompareInput(hashes, key, hash); recorded[i].Created {
			fresh = append(fresh, &records[i])
		}
	}
	return recorded, fresh
}
