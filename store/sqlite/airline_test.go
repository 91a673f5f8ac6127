package sqlite_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// airlineRun is what this test takes from a run of tau-bench.
type airlineRun struct {
	Task  int `json:"task_id"`
	Trial int
	Info  struct {
		Task struct{ Instruction string }
	}
}

func airlineRuns(t *testing.T) (runs []airlineRun) {
	t.Helper()
	path := filepath.Join(cmp.Or(os.Getenv("MNEME_TEST_DATA"), "../../../shared/data"), "tau-bench", "gpt-4o-airline.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("MNEME_TEST_DATA") == "" {
		t.Skipf("left out: there is no %s; MNEME_TEST_DATA says where the data is", path)
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &runs))
	return runs
}

// A task's instruction finds the four trials of that task.
func TestRecallOfAirlineTasks(t *testing.T) {
	runs := airlineRuns(t)
	tenant, err := open(t, t.TempDir()).Tenant(t.Context(), "t")
	require.NoError(t, err)
	var records []store.EpisodeRecord
	for i, run := range runs {
		records = append(records, store.EpisodeRecord{Episode: memory.Episode{
			Key: fmt.Sprintf("%d/%d", run.Task, run.Trial), AgentKey: "gpt-4o", Title: "airline", Outcome: memory.OutcomeUnknown,
			Observation: run.Info.Task.Instruction, StartedAt: time.UnixMilli(int64(i)).UTC(),
		}})
	}
	_, err = tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)

	weights := memory.DefaultWeights
	weights.Temporal, weights.Feedback = 0, memory.FeedbackOff
	found, wanted := 0, 0
	for _, run := range runs {
		if run.Trial != 0 {
			continue
		}
		candidates, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: run.Info.Task.Instruction, Limit: 16})
		require.NoError(t, err)
		top := memory.Rank(candidates.Items, weights, time.Now(), 4)
		wanted += 4
		for _, hit := range top {
			var task, trial int
			_, err := fmt.Sscanf(hit.Key, "%d/%d", &task, &trial)
			require.NoError(t, err)
			if task == run.Task {
				found++
			}
		}
	}
	recall := float64(found) / float64(wanted)
	t.Logf("recall@4 is %.3f over %d tasks", recall, wanted/4)
	require.GreaterOrEqual(t, recall, 0.97)
}
