package capture_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/memorytest"
	"mneme/memory/summary"
)

func TestAirlineRunsBecomeEpisodes(t *testing.T) {
	t.Parallel()
	successes := 0
	for _, run := range memorytest.AirlineRuns(t) {
		episode := capture.EpisodeFromEvents(run.Log(t))
		if episode.Outcome == memory.OutcomeSuccess {
			successes++
		}
		assert.Contains(t, episode.Observation, "Workflow started with args: {\"instruction\":")

		var thoughts, firstError string
		steps := 0
		for _, turn := range run.Traj {
			switch {
			case turn.Role == "tool":
				if firstError == "" && strings.HasPrefix(*turn.Content, "Error") {
					firstError = *turn.Content
				}
				require.Equal(t, turn.Name, episode.Actions[steps].StepName)
				steps++
			case turn.Role == "assistant" && turn.Content != nil:
				thoughts += *turn.Content
			}
		}
		assert.Len(t, episode.Actions, steps)
		assert.Equal(t, thoughts, strings.Join(episode.Thoughts, ""))
		assertInsightNames(t, firstError, summary.Insight(&episode))
		require.Len(t, episode.Segments, 1, "a run is one task")
		assert.Equal(t, memory.SegmentTask, episode.Segments[0].Kind)
	}
	assert.Equal(t, 84, successes)
}

// assertInsightNames checks that an insight quotes the first error of a run, and none where there was none.
func assertInsightNames(t *testing.T, firstError, insight string) {
	t.Helper()
	if firstError == "" {
		assert.NotContains(t, insight, "reads like an error")
		return
	}
	assert.Contains(t, insight, strings.Join(strings.Fields(firstError), " "))
	assert.Less(t, utf8.RuneCountInString(insight), 1200)
}
