package lexical_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store/lexical"
)

func TestMatcherComparesStems(t *testing.T) {
	t.Parallel()
	matches := lexical.Matcher("What are the refunds for cancelled flights?")
	for word, want := range map[string]bool{
		"refund": true, "Refunded": true, "FLIGHT": true, "flight's": true, "cancel": true,
		"hotel": false, "the": false, "what": false, "": false, "😀": false,
	} {
		require.Equal(t, want, matches(word), word)
	}
}

// A text of a megabyte says most of its words again and again: to take each apart anew took 90 ms.
func TestMatcherTakesAWordApartOnce(t *testing.T) {
	matches := lexical.Matcher("What are the refunds for cancelled flights?")
	require.Zero(t, testing.AllocsPerRun(10, func() { matches("flight's"); matches("hotels") }))
	require.True(t, matches("flight's"))
	require.False(t, matches("hotels"))
}
