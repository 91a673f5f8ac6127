package passages

import (
	"slices"

	"mneme/memory"
	split "mneme/memory/passages"
)

// idBits are those of an id that number the passages of all kinds; the others tell the kind, so that the index of words
// goes through those of one kind only.
const idBits = 40

// Range is the first and the last id that passages of a kind can have; there are none of other kinds.
func Range(kind memory.Kind) (first, last int64) {
	at := int64(slices.Index(split.Kinds, kind))
	if at < 0 {
		return 1, 0
	}
	return at << idBits, (at+1)<<idBits - 1
}
