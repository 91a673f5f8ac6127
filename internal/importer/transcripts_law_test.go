package importer

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requestsOf are the keys of the episodes of a transcript.
func requestsOf(t require.TestingT, text []byte, format Format) map[string]bool {
	s := &sink{options: Options{Format: format}, report: NewReport()}
	read, err := s.readTranscript(context.Background(), bufio.NewReader(bytes.NewReader(text)))
	require.NoError(t, err)
	keys := map[string]bool{}
	for _, e := range read.exchanges() {
		s.log(e)
		require.NotEmpty(t, e.request.id)
		require.False(t, keys[e.request.id], "an episode comes once")
		keys[e.request.id] = true
	}
	return keys
}

// In any order, duplicated or cut, a transcript has the same episodes or fewer.
func TestLawOfTranscripts(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		format := ClaudeCode
		if bytes.Contains([]byte(name), []byte("codex")) {
			format = Codex
		}
		whole := requestsOf(t, text, format)
		require.NotEmpty(t, whole)
		lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				var mixed []byte
				for _, i := range rapid.Permutation(places(len(lines))).Draw(t, "order") {
					for range rapid.IntRange(0, 2).Draw(t, "times") {
						mixed = append(append(mixed, bytes.TrimSpace(lines[i])...), '\n')
					}
				}
				from := rapid.IntRange(0, len(mixed)).Draw(t, "from")
				mixed = mixed[from:rapid.IntRange(from, len(mixed)).Draw(t, "to")]
				require.LessOrEqual(t, len(requestsOf(t, mixed, format)), len(whole))
			})
		})
	}
}

func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func FuzzTranscripts(f *testing.F) {
	names, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(f, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","content":[[]]}]},"timestamp":7}`))
	f.Add([]byte(`{"type":"response_item","payload":{"type":"web_search_call","action":[],"id":3}}` + "\n" + `[]` + "\n" + `null`))
	f.Add([]byte(`{"type":"user","message":{"content":"x"}}` + "\n" + `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","input":null,"arguments":{}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, format := range []Format{ClaudeCode, Codex} {
			requestsOf(t, text, format)
		}
	})
}
