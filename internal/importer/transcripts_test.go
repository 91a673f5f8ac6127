package importer_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

var update = flag.Bool("update", false, "write what the transcripts in testdata tell anew")

// transcripts are in the style of versions of the two agents.
var transcripts = map[string]importer.Format{
	"claude-code-1.0": importer.ClaudeCode, "claude-code-2.1": importer.ClaudeCode,
	"codex-0.1": importer.Codex, "codex-0.45": importer.Codex, "codex-0.130": importer.Codex,
}

func transcript(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	require.NoError(t, err)
	return text
}

// goesOn is a transcript as if it had been written in the last hour, so that its session may go on.
func goesOn(text []byte) []byte {
	now := []byte(time.Now().UTC().Add(-30 * time.Minute).Format("2006-01-02T15:04:"))
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:`).ReplaceAll(text, now)
}

// imported imports a transcript.
func imported(t testing.TB, svc *service.Tenant, text []byte, options importer.Options) importer.Report {
	t.Helper()
	report, err := importer.Import(t.Context(), svc, bytes.NewReader(text), options)
	require.NoError(t, err)
	require.Empty(t, report.Faults)
	return report
}

// told is all that a memory's episodes say, in lines.
func told(t testing.TB, svc *service.Tenant) string {
	t.Helper()
	page, err := svc.Episodes.List(t.Context(), boundary.EpisodeFilter{}, memory.OldestFirst, reading.PageInput{First: new(100)}, boundary.Include{})
	require.NoError(t, err)
	var text strings.Builder
	for _, e := range page.Items {
		fmt.Fprintf(&text, "%s\n  of %s, session %s, task type %s, %s\n  %s: %s\n", e.Observation, e.AgentKey, said(e.SessionKey), said(e.TaskType), e.Metadata, e.Outcome, said(e.Result))
		for _, thought := range e.Thoughts {
			fmt.Fprintf(&text, "  - %s\n", thought)
		}
		log, err := svc.Episodes.Events(t.Context(), e.Key, reading.PageInput{First: new(100)})
		require.NoError(t, err)
		for _, event := range log.Items {
			if event.Type == "tokens" {
				fmt.Fprintf(&text, "  tokens %s\n", event.Data)
			}
		}
		for _, action := range e.Actions {
			fmt.Fprintf(&text, "  %s %s\n", action.StepName, action.Result)
		}
	}
	return text.String()
}

func said(text *string) string {
	if text == nil {
		return "none"
	}
	return *text
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	for name, format := range transcripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := open(t)
			seen := importer.NewTranscripts()
			report := imported(t, svc, transcript(t, name), importer.Options{Format: format, Seen: seen})
			text := told(t, svc)
			for _, tool := range slices.Sorted(maps.Keys(seen.Tools)) {
				text += fmt.Sprintf("%s: %+v\n", tool, *seen.Tools[tool])
			}
			text += fmt.Sprintf("unread: %v\n", seen.Unread)
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(text), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), text)

			again := imported(t, svc, transcript(t, name), importer.Options{Format: format})
			assert.Empty(t, again.Imported)
			assert.Equal(t, report.Imported, again.Present)
			assert.True(t, strings.HasPrefix(text, told(t, svc)), "a second time changes nothing")
		})
	}
}

// A transcript that is imported at each of its lines tells in the end what it tells at once.
func TestTranscriptsThatGrow(t *testing.T) {
	t.Parallel()
	for name, format := range transcripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			growing, whole := open(t), open(t)
			text := goesOn(transcript(t, name))
			for end := range text {
				if text[end] == '\n' {
					imported(t, growing, text[:end+1], importer.Options{Format: format})
				}
			}
			ended := importer.Options{Format: format, Ended: true}
			imported(t, growing, text, ended)
			imported(t, whole, text, ended)
			assert.Equal(t, told(t, whole), told(t, growing))
		})
	}
}

func TestTranscriptsSince(t *testing.T) {
	t.Parallel()
	svc := open(t)
	report := imported(t, svc, transcript(t, "codex-0.45"), importer.Options{Format: importer.Codex, Since: time.Date(2025, 10, 8, 8, 0, 20, 0, time.UTC)})
	assert.Equal(t, 1, report.Imported[memory.KindEpisode])
	assert.Contains(t, told(t, svc), "Deploy it")
}

// A session that goes on from another repeats what was said there.
func TestTranscriptsThatRepeatOthers(t *testing.T) {
	t.Parallel()
	svc := open(t)
	first := transcript(t, "claude-code-1.0")
	imported(t, svc, first, importer.Options{Format: importer.ClaudeCode})
	next := bytes.ReplaceAll(first, []byte("00000000c100"), []byte("00000000c101"))
	next = append(next, bytes.ReplaceAll(transcript(t, "claude-code-2.1"), []byte("00000000c210"), []byte("00000000c101"))...)
	report := imported(t, svc, next, importer.Options{Format: importer.ClaudeCode})
	assert.Equal(t, "2 episodes (there already: 3 episodes)", report.String())
}

func TestLongTextsOfTranscripts(t *testing.T) {
	t.Parallel()
	svc := open(t)
	long := strings.Repeat("é", 1<<20) + `\u0000` + "the end"
	text := bytes.ReplaceAll(transcript(t, "claude-code-1.0"), []byte("sh: 1: npm: not found"), []byte(long))
	text = bytes.ReplaceAll(text, []byte("total - v - v"), []byte(long))
	text = bytes.ReplaceAll(text, []byte("Find vouchers"), []byte(long))
	imported(t, svc, text, importer.Options{Format: importer.ClaudeCode})
	got := told(t, svc)
	assert.Less(t, len(got), 200<<10)
	assert.Contains(t, got, "bytes left out")
	assert.Contains(t, got, "the end")
}
