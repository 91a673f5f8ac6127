package memory

import (
	"crypto/hmac"
	"crypto/sha256"
)

// KindPerson is the prefix of an id that stands for a person in tombstones. A person is no record: what
// names one is a record's createdBy.
const KindPerson Kind = "person"

// TombstoneBytes is the length of a tombstone: enough that no two ids share one.
const TombstoneBytes = 16

// Tombstone is what stays of an id that was deleted for good: a keyed hash, by which the id is known
// again where it comes back, and which says nothing to those who do not have the tenant's input key.
func Tombstone(inputKey []byte, id string) []byte {
	mac := hmac.New(sha256.New, inputKey)
	mac.Write([]byte("tombstone\x00" + id)) // no input that is hashed with the same key begins so
	return mac.Sum(nil)[:TombstoneBytes]
}
