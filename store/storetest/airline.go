package storetest

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
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
)

// airlineRun is what tests take from a run of tau-bench.
type airlineRun struct {
	Task  int `json:"task_id"`
	Trial int
	Info  struct {
		Task struct{ Instruction string }
	}
}

// airlineRuns reads the gpt-4o runs of the airline domain of tau-bench, or leaves the test out where they are missing.
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

// RunAirline recalls by the instruction of each task of the airline runs, which should find its four trials first.
func RunAirline(t *testing.T, open func(t *testing.T) store.Backend) {
	runs := airlineRuns(t)
	m := bind(t, open(t), randomTenant())
	var records []store.EpisodeRecord
	for i, run := range runs { // as the importer records them, as far as recall looks at them
		records = append(records, store.EpisodeRecord{Episode: memory.Episode{
			Key: fmt.Sprintf("%d/%d", run.Task, run.Trial), AgentKey: "gpt-4o", Title: summary.Title(run.Info.Task.Instruction),
			Outcome: memory.OutcomeUnknown, Observation: run.Info.Task.Instruction, StartedAt: time.UnixMilli(int64(i)).UTC(),
		}})
	}
	m.NoError(fault(m.RecordEpisodes(m.ctx(), records)))
	weights := ranking.DefaultWeights
	weights.Temporal, weights.Feedback = 0, ranking.FeedbackOff
	found, wanted := 0, 0
	for _, run := range runs {
		if run.Trial != 0 {
			continue
		}
		pool := m.recall(store.RecallQuery{Text: run.Info.Task.Instruction, Limit: 256})
		wanted += 4
		for _, hit := range ranking.Rank(pool.Items, weights, time.Now(), 4) {
			if strings.HasPrefix(hit.Key, fmt.Sprintf("%d/", run.Task)) {
				found++
			}
		}
	}
	t.Logf("of the best four of %d tasks %d of %d are trials of the task", wanted/4, found, wanted)
	require.GreaterOrEqual(t, float64(found), 0.97*float64(wanted))
}
