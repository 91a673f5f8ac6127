package settings

import (
	"fmt"

	"mneme/store"
)

// CheckVector says what is wrong with a vector that cannot be compared: one with too many numbers,
// or one whose length in space leaves it no direction.
func CheckVector(vector []float32) error {
	if len(vector) > store.LongestVector {
		return fmt.Errorf("%w: an embedding of %d numbers; the most is %d", store.ErrInvalid, len(vector), store.LongestVector)
	}
	square := 0.0
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if !(square > 1e-30 && square < 1e30) {
		return fmt.Errorf("%w: an embedding whose square is %g has no direction", store.ErrInvalid, square)
	}
	return nil
}

// VectorProperty is the property that holds vectors of a length.
func VectorProperty(length int) string { return fmt.Sprintf("embedding%d", length) }
