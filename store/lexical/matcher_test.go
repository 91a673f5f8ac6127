package lexical_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store/lexical"
)

func TestMatcherComparesStems(t *testing.T) {
	matches := lexical.Matcher("What are the refunds for cancelled flights?")
	for word, want := range map[string]bool{
		"refund": true, "Refunded": true, "FLIGHT": true, "flight's": true, "cancel": true,
		"hotel": false, "the": false, "what": false, "": false, "😀": false,
	} {
		require.Equal(t, want, matches(word), word)
	}
}
