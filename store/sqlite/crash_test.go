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

// Where a process that a test starts and kills works: one records, one compacts.
const (
	crashDir   = "MNEME_TEST_CRASH_DIR"
	compactDir = "MNEME_TEST_COMPACT_DIR"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		recordUntilKilled(dir)
	}
	if dir := os.Getenv(compactDir); dir != "" {
		compactUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// must ends the process where there is an error.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compactUntilKilled compacts again and again, and names each attempt.
func compactUntilKilled(dir string) {
	ctx := context.Background()
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	must(err)
	tenant, err := backend.Tenant(ctx, "t")
	must(err)
	for n := 0; ; n++ {
		fmt.Println(n)
		_, err = tenant.(store.Compacter).Compact(ctx) //nolint:forcetypeassert // it is one
		must(err)
	}
}

// recordUntilKilled records episodes with feedback and names each that was acknowledged.
func recordUntilKilled(dir string) {
	ctx := context.Background()
	backend, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	must(err)
	tenant, err := backend.Tenant(ctx, "t")
	must(err)
	for i := 0; ; i++ {
		key := fmt.Sprint("e", i)
		_, err := store.Record(ctx, tenant, []store.EpisodeRecord{{Episode: memory.Episode{
			Key: key, AgentKey: "a", Observation: "flight " + key, Outcome: memory.OutcomeSuccess, StartedAt: time.UnixMilli(int64(i)), CreatedAt: time.UnixMilli(0),
		}}})
		must(err)
		_, err = store.Record(ctx, tenant, []store.FeedbackRecord{{Feedback: memory.Feedback{
			Key: "f" + key, EpisodeKey: &key,
			Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: time.UnixMilli(0)},
		}}})
		must(err)
		fmt.Println(key)
	}
}

// What was acknowledged is there after the process was killed, whole, and the next one goes on.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round := range 3 {
		acknowledged := killAfter(t, crashDir, dir, 20*(round+1))
		tenant, err := open(t, dir).Tenant(t.Context(), "t")
		require.NoError(t, err)
		found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: acknowledged, Parts: store.WithFeedback})
		require.NoError(t, err)
		for i, e := range found {
			require.NotNil(t, e, acknowledged[i])
			require.Equal(t, 1, e.FeedbackCount)
			require.Len(t, e.Context.Feedback, 1)
			recalled, _, err := tenant.PassagesByWords(t.Context(), []string{e.Key}, store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 9})
			require.NoError(t, err)
			require.Equal(t, e.Key, recalled[0].Key)
		}
	}
}

// Two processes write to one tenant at once, and neither loses a thing or ends the other.
func TestTwoProcessesOnOneDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tenant, err := open(t, dir).Tenant(t.Context(), "t")
	require.NoError(t, err)
	written := make(chan error)
	go func() {
		var failed error
		for i := 0; i < 50 && failed == nil; i++ {
			_, failed = store.Record(t.Context(), tenant, []store.EpisodeRecord{{Episode: memory.Episode{
				Key: fmt.Sprint("ours", i), AgentKey: "a", Outcome: memory.OutcomeSuccess, StartedAt: time.UnixMilli(0), CreatedAt: time.UnixMilli(0),
			}}})
		}
		written <- failed
	}()
	acknowledged := killAfter(t, crashDir, dir, 50)
	require.NoError(t, <-written)
	for i := range 50 {
		acknowledged = append(acknowledged, fmt.Sprint("ours", i))
	}
	found, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: acknowledged})
	require.NoError(t, err)
	require.NotContains(t, found, (*memory.Episode)(nil))
}

// A process that is killed while it compacts leaves the file whole, and keeps nobody from writing.
func TestKilledWhileItCompacts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	backend := open(t, dir)
	tenant, err := backend.Tenant(t.Context(), "t")
	require.NoError(t, err)
	write := func(agent string, count int) {
		for i := range count {
			_, err := store.Record(t.Context(), tenant, []store.EpisodeRecord{{Episode: memory.Episode{
				Key: fmt.Sprint(agent, i), AgentKey: agent, Observation: strings.Repeat(agent+" said so ", 3000), Outcome: memory.OutcomeSuccess,
				StartedAt: time.UnixMilli(0), CreatedAt: time.UnixMilli(0),
			}}})
			require.NoError(t, err)
		}
	}
	_, err = tenant.InputKey(t.Context())
	require.NoError(t, err)
	write("a", 200)
	write("victimzz", 10)
	_, err = tenant.Delete(t.Context(), memory.KindAgent, []string{"victimzz"})
	require.NoError(t, err)
	for attempts := range 3 {
		killAfter(t, compactDir, dir, attempts+1)
		findings, err := backend.Examine(t.Context())
		require.NoError(t, err)
		for _, finding := range findings {
			require.Empty(t, finding.Fault)
		}
		write("b", 1)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "the copy is gone")
}

// killAfter runs a process, kills it after some lines, such as of acknowledged records, and answers those.
func killAfter(t *testing.T, kind, dir string, records int) (acknowledged []string) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), kind+"="+dir)
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
