package transfer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/store/sqlite"
)

// linesOf are lines of an export with something of most kinds.
func linesOf(f *testing.F) (lines []exported) {
	backend, err := sqlite.Open(f.Context(), sqlite.Options{Dir: f.TempDir()})
	require.NoError(f, err)
	defer func() { require.NoError(f, backend.Close(f.Context())) }()
	svc := servicetest.Bind(f.Context(), f, service.New(backend))
	_, err = demo.Load(f.Context(), svc, time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(f, err)
	var file bytes.Buffer
	_, err = transfer.Export(f.Context(), svc, &file, nil)
	require.NoError(f, err)
	seen := map[memory.Kind]int{}
	for text := range bytes.Lines(file.Bytes()) {
		var line exported
		require.NoError(f, json.Unmarshal(text, &line))
		if seen[line.Kind]++; seen[line.Kind] <= 2 {
			lines = append(lines, line)
		}
	}
	return lines
}

type exported struct {
	Kind memory.Kind     `json:"kind"`
	Kept json.RawMessage `json:"kept"`
}

// inName is the word that no error repeats, in a field's name: one that is not known is named.
var inName = regexp.MustCompile(`QsecretQ[^"]*"\s*:`)

// FuzzDecode: a line is refused with an error of the domain that repeats no value, or is an item that is written
// again as a line that is read the same.
func FuzzDecode(f *testing.F) {
	for _, line := range linesOf(f) {
		f.Add(string(line.Kind), []byte(line.Kept))
	}
	f.Add("span", []byte(`{"trace":"t","span":{"id":"s","startedAt":"2026-01-01T00:00:00Z","attributes":{"a":[[[1e400]]]}},"arrivedAt":"9999-12-31T23:59:59Z"}`))
	f.Add("tombstone", []byte(`{"hash":"QsecretQ"}`))
	f.Add("observation", []byte(`{"key":"o","content":"\u0000","importance":"QsecretQ","createdAt":"0001-01-01T00:00:00+23:59"}`))
	f.Fuzz(func(t *testing.T, kind string, kept []byte) {
		item, err := transfer.Decode(memory.Kind(kind), kept)
		if err != nil {
			known, ok := errors.AsType[*memory.Error](err)
			require.True(t, ok && (known.Code == memory.CodeInvalidInput || known.Code == memory.CodeLimitExceeded), "%s %s: %v", kind, kept, err)
			require.False(t, !inName.Match(kept) && strings.Contains(err.Error(), "QsecretQ"), "%s %s: %v", kind, kept, err)
			return
		}
		got, text, err := transfer.Encode(item)
		require.NoError(t, err, "%s %s", kind, kept)
		require.Equal(t, kind, string(got))
		var line exported
		require.NoError(t, json.Unmarshal(text, &line))
		again, err := transfer.Decode(line.Kind, line.Kept)
		require.NoError(t, err, "%s %s is written as %s", kind, kept, text)
		_, same, err := transfer.Encode(again)
		require.NoError(t, err)
		require.Equal(t, string(text), string(same), "%s %s", kind, kept)
	})
}
