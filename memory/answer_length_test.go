package memory_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
)

// No text takes more in an answer than it took in a request that spelt it as short as it can be.
func TestAnswerLength(t *testing.T) {
	t.Parallel()
	assert.Equal(t, int64(len(`"a\u0001\b\f\n\r\t\"\\ü"`)), memory.AnswerLength("a\x01\b\f\n\r\t\"\\ü"))
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.String().Draw(r, "text")
		sent, err := json.Marshal(text)
		assert.NoError(r, err)
		assert.LessOrEqual(r, memory.AnswerLength(text), int64(len(sent)))
	})
}
