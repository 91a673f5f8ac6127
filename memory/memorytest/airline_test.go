package memorytest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
	"mneme/memory/summary"
)

func TestLessonsOfAirlineRunsFitAnyBudget(t *testing.T) {
	hits := []*memory.Episode{}
	for _, run := range memorytest.AirlineRuns(t)[:5] {
		episode := capture.EpisodeFromEvents(run.Log(t))
		episode.Insight = summary.Insight(&episode)
		hits = append(hits, &episode)
	}
	for budget, least := range map[int]int{1000: 5, 300: 1, 100: 1} {
		lessons := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, budget)
		assert.LessOrEqual(t, memory.EstimateTokens(lessons), budget)
		assert.GreaterOrEqual(t, strings.Count(lessons, "Episode from"), least, "within %d tokens", budget)
	}
}
