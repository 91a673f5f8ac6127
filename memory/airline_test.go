package memory_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// airlineRun is one of the tau-bench airline runs of a real agent.
type airlineRun struct {
	Reward float64 `json:"reward"`
	Info   struct {
		Task struct {
			Instruction string `json:"instruction"`
		} `json:"task"`
	} `json:"info"`
	Traj []struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
		Name    string  `json:"name"`
	} `json:"traj"`
}

// airlineRuns reads the runs from MNEME_TEST_DATA, by default ../shared/data beside the repository.
func airlineRuns(t *testing.T) []airlineRun {
	t.Helper()
	data := os.Getenv("MNEME_TEST_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "shared", "data")
	}
	text, err := os.ReadFile(filepath.Join(data, "tau-bench", "gpt-4o-airline.json"))
	if err != nil {
		t.Skipf("no airline runs: %v", err)
	}
	var runs []airlineRun
	require.NoError(t, json.Unmarshal(text, &runs))
	require.NotEmpty(t, runs)
	return runs
}

// log tells the run as a workflow engine would, a second between its events.
func (r airlineRun) log(t *testing.T) []memory.Event {
	t.Helper()
	var events []memory.Event
	add := func(kind string, data map[string]any) {
		text, err := memory.JSONOf(data)
		require.NoError(t, err)
		events = append(events, memory.Event{Type: kind, Data: text, At: seconds(float64(len(events)))})
	}
	add("workflow_started", map[string]any{"args": map[string]any{"instruction": r.Info.Task.Instruction}})
	for _, turn := range r.Traj {
		switch {
		case turn.Role == "tool":
			add("step_completed", map[string]any{"step_name": turn.Name, "result": turn.Content})
		case turn.Content != nil:
			add("agent_message", map[string]any{"role": turn.Role, "content": turn.Content})
		}
	}
	if r.Reward > 0 {
		add("workflow_completed", map[string]any{"result": "solved"})
	} else {
		add("workflow_failed", map[string]any{"error": "not solved"})
	}
	return events
}

func TestAirlineRunsBecomeEpisodes(t *testing.T) {
	successes := 0
	for _, run := range airlineRuns(t) {
		episode := memory.EpisodeFromEvents(run.log(t))
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
		assertInsightNames(t, firstError, memory.WriteInsight(&episode))
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

func TestLessonsOfAirlineRunsFitAnyBudget(t *testing.T) {
	hits := []*memory.Episode{}
	for _, run := range airlineRuns(t)[:5] {
		episode := memory.EpisodeFromEvents(run.log(t))
		episode.Insight = memory.WriteInsight(&episode)
		hits = append(hits, &episode)
	}
	for budget, least := range map[int]int{1000: 5, 300: 1, 100: 1} {
		lessons := memory.Lessons(hits, budget)
		assert.LessOrEqual(t, memory.EstimateTokens(lessons), budget)
		assert.GreaterOrEqual(t, strings.Count(lessons, "Episode from"), least, "within %d tokens", budget)
	}
}
