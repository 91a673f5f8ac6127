package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestClosedVocabulariesKnowTheirWords(t *testing.T) {
	t.Parallel()
	for _, o := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomeFailure, memory.OutcomeUnknown} {
		assert.True(t, o.Valid(), o)
		assert.False(t, memory.Outcome(strings.ToLower(string(o))).Valid(), "words are in upper case")
	}
	for _, k := range []memory.CanvasActionKind{memorytest.Present, memorytest.Closed, memorytest.Submit, memorytest.Update, memorytest.Execute} {
		assert.True(t, k.Valid(), k)
		assert.False(t, (k + "ED").Valid())
	}
	for _, s := range []memory.FeedbackSource{memory.SourceChat, memory.SourceCanvas, memory.SourceWorkflow} {
		assert.True(t, s.Valid(), s)
		assert.False(t, (" " + s).Valid())
	}
	assert.False(t, memory.Outcome("").Valid())
	assert.False(t, memory.CanvasActionKind("").Valid())
	assert.False(t, memory.FeedbackSource("").Valid())
}
