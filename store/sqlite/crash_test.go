package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite"
)

// crashDir is set for the process that TestKilledProcess starts and kills.
const crashDir = "MNEME_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		recordUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// recordUntilKilled records episodes with feedback and names each that was acknowledged.
func recordUntilKilled(dir string) {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	must(err)
	tenant, err := backend.Tenant(ctx, "t")
	must(err)
	for i := 0; ; i++ {
		key := fmt.Sprint("e", i)
		_, err := tenant.RecordEpisodes(ctx, []store.EpisodeRecord{{Episode: memory.Episode{
			Key: key, AgentKey: "a", Observation: "flight " + key, Outcome: memory.OutcomeSuccess, StartedAt: time.UnixMilli(int64(i)), CreatedAt: time.UnixMilli(0),
		}}})
		must(err)
		_, err = tenant.RecordFeedback(ctx, []store.FeedbackRecord{{Feedback: memory.Feedback{
			Key: "f" + key, EpisodeKey: &key,
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: time.UnixMilli(0)},
		}}})
		must(err)
		fmt.Println(key)
	}
}

// What was acknowledged is there after the process was killed, whole, and the next one goes on.
func TestKilledProcess(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		acknowledged := killAfter(t, dir, 20*(round+1))
		tenant, err := open(t, dir).Tenant(t.Context(), "t")
		require.NoError(t, err)
		found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: acknowledged, Parts: store.WithFeedback})
		require.NoError(t, err)
		for i, e := range found {
			require.NotNil(t, e, acknowledged[i])
			require.Equal(t, 1, e.FeedbackCount)
			require.Len(t, e.Context.Feedback, 1)
			recalled, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: e.Key, Limit: 9})
			require.NoError(t, err)
			require.Len(t, recalled.Items, 1)
		}
	}
}

// Two processes write to one tenant at once, and neither loses a thing or ends the other.
func TestTwoProcessesOnOneDirectory(t *testing.T) {
	dir := t.TempDir()
	tenant, err := open(t, dir).Tenant(t.Context(), "t")
	require.NoError(t, err)
	written := make(chan error)
	go func() {
		var failed error
		for i := 0; i < 50 && failed == nil; i++ {
			_, failed = tenant.RecordEpisodes(t.Context(), []store.EpisodeRecord{{Episode: memory.Episode{
				Key: fmt.Sprint("ours", i), AgentKey: "a", Outcome: memory.OutcomeSuccess, StartedAt: time.UnixMilli(0), CreatedAt: time.UnixMilli(0),
			}}})
		}
		written <- failed
	}()
	acknowledged := killAfter(t, dir, 50)
	require.NoError(t, <-written)
	for i := range 50 {
		acknowledged = append(acknowledged, fmt.Sprint("ours", i))
	}
	found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: acknowledged})
	require.NoError(t, err)
	require.NotContains(t, found, (*memory.Episode)(nil))
}

// killAfter runs the recording process, kills it after some acknowledged records, and names those.
func killAfter(t *testing.T, dir string, records int) (acknowledged []string) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), crashDir+"="+dir)
	var complaints strings.Builder
	process.Stderr = &complaints
	output, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	for lines := bufio.NewScanner(output); len(acknowledged) < records && lines.Scan(); {
		acknowledged = append(acknowledged, lines.Text())
	}
	require.NoError(t, process.Process.Kill()) // SIGKILL
	require.Error(t, process.Wait())
	require.Len(t, acknowledged, records, complaints.String())
	return acknowledged
}
