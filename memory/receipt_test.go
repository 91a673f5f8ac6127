package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestReceiptPlus(t *testing.T) {
	t.Parallel()
	a := memory.Receipt{TokensBefore: 5, TokensAfter: 3, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	b := memory.Receipt{TokensBefore: 1, TokensAfter: 1, Redactions: []memory.Redaction{{Kind: "key", Count: 1}, {Kind: "private", Count: 1}}}
	want := memory.Receipt{TokensBefore: 6, TokensAfter: 4, Redactions: []memory.Redaction{{Kind: "key", Count: 1}, {Kind: "private", Count: 3}}}
	assert.Equal(t, want, a.Plus(b))
	assert.Equal(t, want, b.Plus(a))
	assert.Equal(t, []memory.Redaction{}, memory.Receipt{}.Plus(memory.Receipt{}).Redactions, "a list is never null")
}

func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "five5": 2, "üü": 1, "üüü": 2} {
		assert.Equal(t, want, memory.EstimateTokens(text), text)
	}
}
