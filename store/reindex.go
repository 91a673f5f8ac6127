package store

import (
	"context"
	"fmt"
)

// Embeddings says whether an endpoint makes vectors of passages, too.
type Embeddings struct {
	Made bool
	// Length is how many numbers they have; 0 where any.
	Length int
}

// Embedder is an endpoint as a store asks it: for a vector of each text, in order, of the length.
type Embedder struct {
	Length int
	Embed  func(ctx context.Context, texts []string) ([][]float32, error)
}

// ReindexStep is how many records have got vectors, and how many have to, as far as was known at the beginning.
type ReindexStep struct{ Made, Due int }

// MeaningsText is what an examination tells of the vectors of a tenant: of how many records there are any, and of how
// many they are due.
func MeaningsText(made, due int) string {
	text := fmt.Sprintf("vectors of %d records", made)
	if made == 1 {
		text = "vectors of 1 record"
	}
	if due > 0 {
		text += fmt.Sprintf("; those of %d more are due: a server makes them in the background, or mneme rebuild", due)
	}
	return text
}

// NoMeaningsText is what it tells where the store was opened without vectors.
const NoMeaningsText = "not made (MNEME_EMBEDDER=off)"
