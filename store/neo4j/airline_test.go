package neo4j_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// airlineRun is what these tests take from a run of tau-bench.
type airlineRun struct {
	Task  int `json:"task_id"`
	Trial int
	Info  struct {
		Task struct{ Instruction string }
	}
}

func (r airlineRun) key() string { return fmt.Sprintf("%d/%d", r.Task, r.Trial) }

func airlineRuns(t testing.TB) (runs []airlineRun) {
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

// recordAirline records the runs as the importer does, as far as recall looks at them.
func recordAirline(t testing.TB, tenant store.Store, runs []airlineRun) {
	t.Helper()
	var records []store.EpisodeRecord
	for i, run := range runs {
		records = append(records, store.EpisodeRecord{Episode: memory.Episode{
			Key: run.key(), AgentKey: "gpt-4o", Title: memory.TitleOf(run.Info.Task.Instruction), Outcome: memory.OutcomeUnknown,
			Observation: run.Info.Task.Instruction, StartedAt: time.UnixMilli(int64(i)).UTC(),
		}})
	}
	_, err := tenant.RecordEpisodes(t.Context(), records)
	require.NoError(t, err)
}

// A task's instruction finds the four trials of that task.
func TestRecallOfAirlineTasks(t *testing.T) {
	runs, backend := airlineRuns(t), open(t, nil)
	tenant := freshTenant(t, backend)
	recordAirline(t, tenant, runs)

	weights := memory.DefaultWeights
	weights.Temporal, weights.Feedback = 0, memory.FeedbackOff
	found, wanted := 0, 0
	for _, run := range runs {
		if run.Trial != 0 {
			continue
		}
		candidates, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: run.Info.Task.Instruction, Limit: 256})
		require.NoError(t, err)
		top := memory.Rank(candidates.Items, weights, time.Now(), 4)
		wanted += 4
		for _, hit := range top {
			if strings.HasPrefix(hit.Key, fmt.Sprintf("%d/", run.Task)) {
				found++
			}
		}
	}
	recall := float64(found) / float64(wanted)
	t.Logf("recall@4 is %.3f over %d tasks", recall, wanted/4)
	require.GreaterOrEqual(t, recall, 0.97)
}
