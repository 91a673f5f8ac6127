package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestCountCorrections(t *testing.T) {
	t.Parallel()
	assert.Equal(t, memory.CorrectionStats{ByTopic: []memory.TopicCount{}, ByImportance: []memory.ImportanceCount{}}, memory.CountCorrections(nil))
	assert.Equal(t, memory.CorrectionStats{
		Total:        9,
		ByTopic:      []memory.TopicCount{{Topic: "seats", Count: 5}, {Topic: "Bags", Count: 2}, {Topic: "bags", Count: 2}},
		ByImportance: []memory.ImportanceCount{{Importance: memory.ImportanceCritical, Count: 1}, {Importance: memory.ImportanceLow, Count: 8}},
	}, memory.CountCorrections([]memory.CorrectionCount{
		{Topic: "bags", Importance: memory.ImportanceLow, Count: 2}, {Topic: "seats", Importance: memory.ImportanceLow, Count: 4},
		{Topic: "seats", Importance: memory.ImportanceCritical, Count: 1}, {Topic: "Bags", Importance: memory.ImportanceLow, Count: 2}, {},
	}))
}
