package transfer_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/testsecret"
)

// A file of an export is the same memory however its lines were shuffled, with spaces or without.
func TestShuffledExportIsTheSameMemory(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	svc := testsecret.Open(t)
	fill(ctx, t, svc)
	whole := export(ctx, t, svc)
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	loose := make([]string, len(lines))
	for i, line := range lines {
		loose[i] = strings.Replace(line, `{"kind":`, ` { "kind" : `, 1)
	}
	for name, file := range map[string][]string{"as it was": lines, "with spaces": loose} {
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(file), func(i, j int) { file[i], file[j] = file[j], file[i] })
		other := testsecret.Open(t)
		report := load(ctx, t, other, strings.Join(file, ""), importer.Options{})
		assert.Empty(t, report.Present, name)
		assert.Equal(t, whole, export(ctx, t, other), name)
	}
}

// What comes only once cannot be brought into order: it is refused where it may lose something.
func TestShuffledStreamIsRefused(t *testing.T) {
	t.Parallel()
	lines := everything(t)
	for _, keepGoing := range []bool{false, true} {
		shuffled := lines[0] + lines[len(lines)/2] + lines[1]
		_, err := importer.Import(t.Context(), openSQLite(t), onceOnly{strings.NewReader(shuffled)}, importer.Options{Format: importer.JSONL, KeepGoing: keepGoing})
		require.ErrorContains(t, err, `line 3: INVALID_INPUT: kind: a line of the kind "agent" stands behind one of`)
	}
	report := load(t.Context(), t, openSQLite(t), strings.Join(lines, "")+"\n"+strings.Join(lines, ""), importer.Options{})
	assert.Empty(t, report.Faults, "an export behind itself is in order")
}

type onceOnly struct{ io.Reader }

// A faulty line is told once, however often the file is read.
func TestFaultsOfAShuffledExportAreToldOnce(t *testing.T) {
	t.Parallel()
	lines := everything(t)
	file := lines[len(lines)/2] + "{\n" + lines[0] + `{"kind":"concept","kept":{"key":"homeless","memoir":"none","name":"N","content":"C.","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}}` + "\n" + lines[1]
	report := load(t.Context(), t, openSQLite(t), file, importer.Options{KeepGoing: true})
	require.Len(t, report.Faults, 2)
	assert.Equal(t, 2, report.Faults[0].Line)
	assert.Equal(t, "line 4: NOT_FOUND: the memoir of the concept is neither there nor on a line before it", report.Faults[1].Error())
}
