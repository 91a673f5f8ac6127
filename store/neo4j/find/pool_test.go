package find

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory/ranking"
)

func recalledOf(keys ...string) []recalled {
	all := make([]recalled, len(keys))
	for i, key := range keys {
		all[i].Candidate = ranking.Candidate{Key: key}
	}
	return all
}

// What is near comes beside what matches, each once, and instead of the newest where nothing does.
func TestNearEpisodesAreAdded(t *testing.T) {
	matched := recallFound{episodes: recalledOf("a", "b"), more: true}
	assert.Equal(t, matched, matched.with(nil))
	assert.Equal(t, recallFound{episodes: recalledOf("a", "b", "c"), more: true, near: true}, matched.with(recalledOf("b", "c")))
	newest := recallFound{episodes: recalledOf("x", "y"), unmatched: 3}
	assert.Equal(t, newest, newest.with(nil))
	assert.Equal(t, recallFound{episodes: recalledOf("y", "c"), near: true}, newest.with(recalledOf("y", "c")))
}
