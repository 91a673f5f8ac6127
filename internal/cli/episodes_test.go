package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEpisodesShow(t *testing.T) {
	t.Parallel()
	env := map[string]string{"MNEME_DATA": t.TempDir()}
	run := func(args ...string) result { return mneme(t, env, "", args...) }
	const events = 250
	var log strings.Builder
	for i := range events - 1 {
		fmt.Fprintf(&log, `{"runId":"run-7","agentId":"ada","type":"step_completed","data":{"step_name":"Step\u001b[31m %d"},"at":"2026-06-01T12:%02d:%02dZ"}`+"\n", i, i/60, i%60)
	}
	log.WriteString(`{"runId":"run-7","type":"workflow_completed","data":{"result":"done"},"at":"2026-06-01T13:00:00Z"}` + "\n")
	file := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(log.String()), 0o600))
	require.Zero(t, run("import", "--format", "events", file).status)

	shown := run("episodes", "show", "run-7")
	require.Zero(t, shown.status, shown.err)
	for _, says := range []string{"episode:run-7", "agent:ada", "success", "2026-06-01T13:00:00Z", "and 229 more", "done"} {
		assert.Contains(t, shown.out, says)
	}
	whole := decoded[struct {
		ID, Outcome string
		Actions     []any
	}](t, run, "episodes", "show", "episode:run-7")
	assert.Equal(t, "episode:run-7", whole.ID)
	assert.Len(t, whole.Actions, events-1)

	replayed := run("episodes", "show", "run-7", "--replay")
	require.Zero(t, replayed.status, replayed.err)
	lines := strings.Split(strings.TrimSuffix(replayed.out, "\n"), "\n")
	require.Len(t, lines, events)
	assert.Contains(t, lines[0], "     0  2026-06-01T12:00:00.000Z  step_completed  {")
	assert.NotContains(t, replayed.out, "\x1b")
	exact := run("episodes", "show", "run-7", "--replay", "--json")
	require.Zero(t, exact.status, exact.err)
	number := 0
	for scanner := bufio.NewScanner(strings.NewReader(exact.out)); scanner.Scan(); number++ {
		var event struct {
			Sequence int
			Type     string
		}
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &event))
		require.Equal(t, number, event.Sequence)
	}
	assert.Equal(t, events, number)

	records := `{"kind": "episode", "record": {"id": "board", "agentId": "eve", "sessionId": "s", "userId": "ann", "thoughts": ["Bars first"], "observation": "Show the revenue", "outcome": "SUCCESS", "startedAt": "2026-06-02T12:01:00Z"}}
{"kind": "canvas", "record": {"id": "bars", "sessionId": "s", "canvasType": "charts", "componentType": "bar_chart", "actions": [{"action": "PRESENT", "at": "2026-06-02T12:00:00Z"}, {"action": "CLOSE", "at": "2026-06-02T12:00:30Z"}]}}
{"kind": "feedback", "record": {"id": "f", "episodeId": "board", "type": "THUMBS_UP", "corrections": "Show euros", "comment": "Quick", "at": "2026-06-02T12:02:00Z"}}
`
	imported := mneme(t, env, records, "import", "--format", "jsonl", "-")
	require.Zero(t, imported.status, imported.err)
	unlogged := run("episodes", "show", "board", "--replay")
	require.Zero(t, unlogged.status)
	assert.Empty(t, unlogged.out)
	assert.Equal(t, "The episode has no log.\n", unlogged.err)
	board := run("episodes", "show", "board").out
	assert.Regexp(t, `quality +1\.00 \(completion 1\.00, canvases 1\.00, feedback 1\.00, consistency\s+1\.00\)`, board)
	for _, line := range []string{`user +ann`, `thought 1 +Bars first`, `correction +Show euros`, `comment +Quick`} {
		assert.Regexp(t, line, board)
	}
	assert.Regexp(t, `canvas:bars: charts/bar_chart, 30 s, presented, closed slowly`, board)
	parts := decoded[struct {
		Quality  map[string]*float64
		Canvases []struct {
			ID           string
			States       []string
			DwellSeconds float64
		}
	}](t, run, "episodes", "show", "board")
	assert.Equal(t, new(1.0), parts.Quality["canvasSuccess"])
	require.Len(t, parts.Canvases, 1)
	assert.Equal(t, []string{"PRESENTED", "CLOSED_SLOWLY"}, parts.Canvases[0].States)
	assert.InDelta(t, 30, parts.Canvases[0].DwellSeconds, 1e-9)

	for _, args := range [][]string{{"episodes", "show", "nobody"}, {"episodes", "show", "nobody", "--replay"}} {
		nobody := run(args...)
		assert.Equal(t, 1, nobody.status)
		assert.Contains(t, nobody.err, "NOT_FOUND")
	}
	for _, wrong := range [][]string{{"episodes", "show"}, {"episodes", "show", "a", "b"}, {"episodes", "list", "x"}} {
		assert.Equal(t, 2, run(wrong...).status, wrong)
	}
}
