package importer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
)

// A file says times as every other door takes them.
func TestTimesOfAFile(t *testing.T) {
	t.Parallel()
	svc := open(t)
	load := func(id, at string) error {
		line := `{"kind": "observation", "record": {"id": "` + id + `", "content": "Seen.", "at": "` + at + `"}}`
		_, err := importer.Import(t.Context(), svc, strings.NewReader(line), importer.Options{Format: importer.JSONL})
		return err
	}
	for text, want := range map[string]string{
		"2026-03-01t12:00:00.5z": "2026-03-01T12:00:00.5Z", "2016-12-31T23:59:60Z": "2017-01-01T00:00:00Z", "2026-03-01T12:00:00+01:00": "2026-03-01T11:00:00Z",
	} {
		require.NoError(t, load(text, text))
		kept, err := svc.Knowledge.Observation(t.Context(), text)
		require.NoError(t, err)
		assert.Equal(t, want, kept.CreatedAt.Format("2006-01-02T15:04:05.999Z07:00"), text)
	}
	for _, text := range []string{"2026-03-01T12:00:00,5Z", "2026-03-01T1:00:00Z", "2026-03-01 12:00:00Z", "1969-12-31t23:59:59z", "2026-03-01T12:00:61Z", "2026-03-01T12:00:00+24:00"} {
		assert.ErrorContains(t, load("x", text), "at: must be", text)
	}
}
