package importer_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

func memoirLine(id string) string {
	return fmt.Sprintf(`{"kind": "memoir", "record": {"id": %q, "name": "About %s"}}`, id, id)
}

func conceptLine(id, memoir string) string {
	return fmt.Sprintf(`{"kind": "concept", "record": {"id": %q, "memoirId": %q, "name": "Of %s", "content": "What %s is."}}`, id, memoir, id, id)
}

func relationLine(source, target string) string {
	return fmt.Sprintf(`{"kind": "relation", "record": {"sourceId": %q, "targetId": "concept:%s", "type": "PART_OF"}}`, source, target)
}

// counting is a backend that counts the batches of records that are written through it.
type counting struct {
	store.Backend
	batches int
}

type countingTenant struct {
	store.Store
	of *counting
}

func (c *counting) Tenant(ctx context.Context, id string) (store.Store, error) {
	tenant, err := c.Backend.Tenant(ctx, id)
	return &countingTenant{Store: tenant, of: c}, err
}

func (c *countingTenant) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	c.of.batches++
	return c.Store.Restore(ctx, items, force)
}

// A graph of concepts is written in few batches, in whatever mixture its lines stand as long as each has before it what
// it needs, and each faulty line is told.
func TestConceptGraphsAreWrittenInBatches(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	counted := &counting{Backend: backend}
	svc := servicetest.Bind(t.Context(), t, service.New(counted))
	const concepts = 1200
	var file strings.Builder
	line, faulty := 0, map[int]string{}
	write := func(text, fault string) {
		line++
		if fault != "" {
			faulty[line] = fault
		}
		file.WriteString(text + "\n")
	}
	write(memoirLine("m"), "")
	for i := range concepts {
		id := fmt.Sprint("c", i)
		write(conceptLine(id, "memoir:m"), "")
		if i > 0 {
			write(relationLine(id, fmt.Sprint("c", i-1)), "")
		}
		switch i {
		case 3, 903:
			write(strings.Replace(conceptLine(fmt.Sprint("twin", i), "m"), fmt.Sprint("Of twin", i), "Of "+id, 1), "CONFLICT: name: another concept of the memoir has this name")
		case 5, 905:
			write(strings.Replace(conceptLine(id, "m"), "What", "Else what", 1), "CONFLICT: id: the concept exists with other content")
		case 7, 907:
			write(conceptLine("homeless", "nowhere"), "NOT_FOUND: memoirId: the memoir \"nowhere\" does not exist")
		case 9, 909:
			write(relationLine(id, "nothing"), "NOT_FOUND: targetId: the record \"concept:nothing\" does not exist")
			write(relationLine("nothing", id), "NOT_FOUND: sourceId: the record \"concept:nothing\" does not exist")
		case 11, 911:
			write(relationLine(id, id), "INVALID_INPUT: targetId")
			write(strings.Replace(memoirLine(id), "About "+id, "About m", 1), "CONFLICT: name: another memoir has this name")
			write(`{"kind": "correction", "record": {"prediction": "P.", "correction": "C."}}`, "INVALID_INPUT: topic")
		}
		write(fmt.Sprintf(`{"kind": "correction", "record": {"topic": "t", "prediction": "P%d.", "correction": "C."}}`, i), "")
	}
	want := map[memory.Kind]int{memory.KindMemoir: 1, memory.KindConcept: concepts, store.KindRelation: concepts - 1, memory.KindCorrection: concepts}
	for round := range 2 {
		counted.batches = 0
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file.String()), importer.Options{Format: importer.JSONL, KeepGoing: true})
		require.NoError(t, err)
		if round == 1 { // and those of a second time are there
			report.Imported, report.Present = report.Present, report.Imported
		}
		assert.Equal(t, want, report.Imported)
		assert.Empty(t, report.Present)
		found := map[int]string{}
		for _, fault := range report.Faults {
			found[fault.Line] = fault.Err.Error()
		}
		require.Len(t, found, len(faulty))
		for line, says := range faulty {
			assert.Contains(t, found[line], says, "line %d", line)
		}
		assert.LessOrEqual(t, counted.batches, 20, "%d records", 3*concepts)
	}
}

// What stands before the record that it needs is a fault, though both are read before anything is written.
func TestConceptGraphsOutOfOrder(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file []string
		line int
		says string
	}{
		"a concept before its memoir":    {[]string{memoirLine("n"), conceptLine("a", "m"), memoirLine("memoir:m"), conceptLine("b", "m")}, 2, "memoirId"},
		"a relation before its source":   {[]string{memoirLine("m"), conceptLine("a", "m"), relationLine("b", "a"), conceptLine("b", "m")}, 3, "sourceId"},
		"a relation before its target":   {[]string{memoirLine("m"), conceptLine("a", "m"), relationLine("concept:a", "b"), conceptLine("concept:b", "m")}, 3, "targetId"},
		"a name that is taken before":    {[]string{memoirLine("m"), conceptLine("a", "m"), strings.Replace(conceptLine("b", "m"), "Of b", "Of a", 1), relationLine("a", "b")}, 3, "name"},
		"the first of two faulty lines":  {[]string{memoirLine("m"), relationLine("a", "b"), conceptLine("a", "none")}, 2, "sourceId"},
		"a blank concept after a memoir": {[]string{memoirLine("m"), strings.Replace(conceptLine("a", "m"), "What a is.", "", 1)}, 2, "content"},
	} {
		t.Run(name, func(t *testing.T) {
			svc := open(t)
			_, err := importer.Import(t.Context(), svc, strings.NewReader(strings.Join(tt.file, "\n")), importer.Options{Format: importer.JSONL})
			var fault *importer.Fault
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, tt.line, fault.Line)
			assert.ErrorContains(t, err, tt.says)
			relations, err := svc.Knowledge.Relations(t.Context(), []string{"a", "b"}, memory.DirectionBoth, nil)
			require.NoError(t, err)
			assert.Empty(t, relations, "what is faulty is not written")
		})
	}
}

// Lines of an export come after what stands before them: a relation finds concepts that somebody wrote above it, and a
// memoir comes too late for a concept.
func TestLinesOfAnExportStandWhereTheyStand(t *testing.T) {
	t.Parallel()
	from := open(t)
	concepts := strings.Join([]string{memoirLine("m"), conceptLine("a", "m"), conceptLine("b", "m")}, "\n") + "\n"
	_, err := importer.Import(t.Context(), from, strings.NewReader(concepts+relationLine("a", "b")), importer.Options{Format: importer.JSONL})
	require.NoError(t, err)
	var exported bytes.Buffer
	_, err = transfer.Export(t.Context(), from, &exported, nil)
	require.NoError(t, err)
	kept := map[string]string{} // by kind
	for line := range strings.Lines(exported.String()) {
		_, kind, _ := strings.Cut(line, `"kind":"`)
		kind, _, _ = strings.Cut(kind, `"`)
		kept[kind] = line
	}
	header := kept["tenant"]
	report, err := importer.Import(t.Context(), open(t), strings.NewReader(header+concepts+kept["relation"]), importer.Options{Format: importer.JSONL})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Imported[store.KindRelation])

	_, err = importer.Import(t.Context(), open(t), strings.NewReader(header+conceptLine("a", "m")+"\n"+kept["memoir"]), importer.Options{Format: importer.JSONL})
	var fault *importer.Fault
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, 2, fault.Line)
}

// choking is a backend that refuses to take more than so many records at once.
type choking struct {
	store.Backend
	most int
}

type chokingTenant struct {
	store.Store
	most int
}

func (c *choking) Tenant(ctx context.Context, id string) (store.Store, error) {
	tenant, err := c.Backend.Tenant(ctx, id)
	return &chokingTenant{Store: tenant, most: c.most}, err
}

func (c *chokingTenant) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	if len(items) > c.most {
		return nil, store.ErrTooMuch
	}
	return c.Store.Restore(ctx, items, force)
}

// What is too much for one write of the store is written in smaller ones, and only what is too much alone is a fault.
func TestBatchesThatAreTooMuchAreDivided(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]int{7: 100, 0: 0} {
		backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
		svc := servicetest.Bind(t.Context(), t, service.New(&choking{backend, most}))
		var file strings.Builder
		for i := range 100 {
			file.WriteString(memoirLine(fmt.Sprint("m", i)) + "\n")
		}
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file.String()), importer.Options{Format: importer.JSONL, KeepGoing: true})
		require.NoError(t, err)
		assert.Equal(t, want, report.Imported[memory.KindMemoir])
		assert.Len(t, report.Faults, 100-want)
	}
}

// What was deleted for good stays away, as documented: a concept, a memoir with its concepts, and what links a concept.
func TestDeletedConceptsStayAway(t *testing.T) {
	t.Parallel()
	svc := open(t)
	file := strings.Join([]string{
		memoirLine("m"), memoirLine("n"), conceptLine("a", "m"), conceptLine("b", "m"), conceptLine("c", "n"), relationLine("a", "b"), relationLine("b", "c"),
	}, "\n")
	imported := func(force bool) string {
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.JSONL, Force: force})
		require.NoError(t, err)
		return fmt.Sprintf("%s, left out: %d", report, report.Forgotten)
	}
	assert.Equal(t, "2 memoirs, 3 concepts, 2 relations, left out: 0", imported(false))
	for _, id := range []string{"concept:a", "memoir:n"} {
		_, err := svc.Upkeep.DeleteAny(t.Context(), boundary.DeleteInput{ID: id})
		require.NoError(t, err)
	}
	assert.Equal(t, "nothing new (there already: 1 memoir, 1 concept), left out: 5", imported(false))
	assert.Equal(t, "1 memoir, 2 concepts, 2 relations (there already: 1 memoir, 1 concept), left out: 0", imported(true))
	assert.Equal(t, "nothing new (there already: 2 memoirs, 3 concepts, 2 relations), left out: 0", imported(false))
}
