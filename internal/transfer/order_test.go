package transfer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
)

// Lines of an export out of their order are refused where they may lose something.
func TestShuffledExportIsRefused(t *testing.T) {
	t.Parallel()
	lines := everything(t)
	for _, keepGoing := range []bool{false, true} {
		shuffled := lines[0] + lines[len(lines)/2] + lines[1]
		_, err := importer.Import(t.Context(), openSQLite(t), strings.NewReader(shuffled), importer.Options{Format: importer.JSONL, KeepGoing: keepGoing})
		require.ErrorContains(t, err, `line 3: INVALID_INPUT: kind: a line of the kind "agent" stands behind one of`)
	}
	report := load(t.Context(), t, openSQLite(t), strings.Join(lines, "")+"\n"+strings.Join(lines, ""), importer.Options{})
	assert.Empty(t, report.Faults, "an export behind itself is in order")
}
