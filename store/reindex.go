package store

import (
	"context"
	"fmt"
)

// Reindexer keeps what records mean. Opened with its vectors, a store makes of what a record is found by (matching.Texts,
// joined by newlines) the codes of package meaning, in the transaction that writes it: of an episode those of the whole and
// of its first lines, matching.MostParts at most, of others one. They follow from the records, so an export leaves
// them out. Records that were written without them are due.
type Reindexer interface {
	// DueVectors counts the records whose codes are due; 0 where the store was opened without vectors.
	DueVectors(ctx context.Context) (int, error)
	// Reindex makes the codes that are due and says of how many records it did. Others read and write meanwhile: it goes
	// in parts, each a transaction, so that what was done stays where it is broken off, and is not done again. It tells
	// how far it is after each; nil for nobody. Without vectors it does nothing.
	Reindex(ctx context.Context, tell func(ReindexStep)) (made int, err error)
}

// ReindexStep is how many records have got codes, and how many have to, as far as was known at the beginning.
type ReindexStep struct{ Made, Due int }

// MeaningsText is what an examination tells of the vectors of a tenant: of how many records there are any, and of how many they
// are due.
func MeaningsText(made, due int) string {
	text := fmt.Sprintf("vectors of %d records", made)
	if made == 1 {
		text = "vectors of 1 record"
	}
	if due > 0 {
		text += fmt.Sprintf("; %d more have none yet: a server makes them in the background, or mneme rebuild", due)
	}
	return text
}

// NoMeaningsText is what it tells where the store was opened without vectors.
const NoMeaningsText = "not made (MNEME_EMBEDDER=off)"
