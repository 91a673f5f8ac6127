package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestRelationCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		relation memory.Relation
		field    string
	}{
		"a link":                {memory.Relation{Type: memory.RelationPartOf, SourceKey: "a", TargetKey: "b"}, ""},
		"to itself":             {memory.Relation{Type: memory.RelationPartOf, SourceKey: "a", TargetKey: "a"}, "targetId"},
		"of no known type":      {memory.Relation{Type: "LIKES", SourceKey: "a", TargetKey: "b"}, "type"},
		"spelled in lower case": {memory.Relation{Type: "part_of", SourceKey: "a", TargetKey: "b"}, "type"},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.relation.Check()
			if test.field == "" {
				assert.NoError(t, err)
				return
			}
			var fault *memory.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, memory.CodeInvalidInput, fault.Code)
			assert.Equal(t, test.field, fault.Field)
		})
	}
}

func TestRefine(t *testing.T) {
	t.Parallel()
	concept := memory.Concept{
		Key: "refund", Name: "Refund", Content: "Within 24 hours.", Labels: []string{"policy"},
		Revisions: []memory.ConceptRevision{{Content: "Always.", Labels: []string{}, At: memorytest.Day(-2)}},
		CreatedAt: memorytest.Day(-2), UpdatedAt: memorytest.Day(-1),
	}
	for name, test := range map[string]struct {
		content *string
		labels  *[]string
		purge   bool
		changed bool
	}{
		"nothing":           {nil, nil, false, false},
		"the same again":    {new("Within 24 hours."), &[]string{"policy"}, false, false},
		"the content":       {new("Within 48 hours."), nil, false, true},
		"the labels":        {nil, &[]string{"policy", "refund"}, false, true},
		"no labels at all":  {nil, &[]string{}, false, true},
		"one of both":       {new("Within 24 hours."), &[]string{}, false, true},
		"content made void": {new(""), nil, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			refined, changed, err := concept.Refine(test.content, test.labels, test.purge, memorytest.Day(0))
			require.NoError(t, err)
			assert.Equal(t, test.changed, changed)
			if !changed {
				assert.Equal(t, concept, refined)
				return
			}
			assert.Equal(t, memorytest.Day(0), refined.UpdatedAt)
			assert.Equal(t, memorytest.Day(-2), refined.CreatedAt)
			assert.Equal(t, []memory.ConceptRevision{
				{Content: "Always.", Labels: []string{}, At: memorytest.Day(-2)},
				{Content: "Within 24 hours.", Labels: []string{"policy"}, At: memorytest.Day(-1)},
			}, refined.Revisions)
			assert.Len(t, concept.Revisions, 1, "the concept itself stays as it was")
		})
	}
}

func TestPurge(t *testing.T) {
	t.Parallel()
	said := memory.Concept{
		Key: "refund", Content: "Within 24 hours.", Labels: []string{"policy"},
		Revisions: []memory.ConceptRevision{{Content: "Always.", Labels: []string{}, At: memorytest.Day(-3)}},
		CreatedAt: memorytest.Day(-3), UpdatedAt: memorytest.Day(-2),
	}
	changed := func(c memory.Concept, content *string) memory.Concept {
		t.Helper()
		refined, changed, err := c.Refine(content, nil, true, memorytest.Day(-1))
		require.NoError(t, err)
		assert.True(t, changed)
		assert.Empty(t, refined.Revisions)
		return refined
	}
	alone := changed(said, nil)
	assert.Equal(t, said.UpdatedAt, alone.UpdatedAt, "it says so since then")
	anew := changed(said, new("Never."))
	assert.Equal(t, "Never.", anew.Content)
	assert.Equal(t, memorytest.Day(-1), anew.UpdatedAt)
	_, again, err := anew.Refine(nil, nil, true, memorytest.Day(0))
	require.NoError(t, err)
	assert.False(t, again, "there is nothing more to drop")

	assert.Equal(t, "Always.", said.AsOf(memorytest.Day(-2.5)).Content)
	assert.Nil(t, anew.AsOf(memorytest.Day(-2)), "what it said then is not known any more")
	assert.Equal(t, "Never.", anew.AsOf(memorytest.Day(-1)).Content)
	after, _, err := anew.Refine(new("Sometimes."), nil, false, memorytest.Day(0))
	require.NoError(t, err)
	assert.Nil(t, after.AsOf(memorytest.Day(-2)))
	assert.Equal(t, "Never.", after.AsOf(memorytest.Day(-0.5)).Content)
}

// A concept is read with its whole history, so that is bounded; a concept that is beyond it already can be purged.
func TestRevisionsAreBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		kept    int // bytes of what it said before
		says    int
		content string
		purge   bool
		want    memory.Code
	}{
		{"as much as fits", memory.MaxRevised - 3*64 - 5, 5, "new", false, ""},
		{"a byte more", memory.MaxRevised - 3*64 - 4, 5, "new", false, memory.CodeLimitExceeded},
		{"a byte more, purged", memory.MaxRevised - 3*64 - 4, 5, "new", true, ""},
		{"more than fits from before, and nothing new", 2 * memory.MaxRevised, 5, "xxxxx", false, ""},
		{"more than fits from before, purged", 2 * memory.MaxRevised, 5, "xxxxx", true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			concept := memory.Concept{Content: strings.Repeat("x", test.says), Revisions: []memory.ConceptRevision{
				{Content: strings.Repeat("x", test.kept/2-9), Labels: []string{"label", "four"}}, {Content: strings.Repeat("x", test.kept-test.kept/2)},
			}}
			refined, changed, err := concept.Refine(&test.content, nil, test.purge, memorytest.Day(0))
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			known, ok := errors.AsType[*memory.Error](err)
			require.True(t, ok)
			assert.Equal(t, test.want, known.Code)
			assert.Equal(t, "id", known.Field)
			assert.False(t, changed)
			assert.Equal(t, concept, refined)
		})
	}
}

func TestWhatAConceptGaveWayTo(t *testing.T) {
	t.Parallel()
	relation := func(source string, kind memory.RelationType, target string, age float64) *memory.Relation {
		return &memory.Relation{Type: kind, SourceKey: source, TargetKey: target, CreatedAt: memorytest.Day(-age)}
	}
	relations := []*memory.Relation{
		relation("old", memory.RelationSupersededBy, "newer", 5),
		relation("old", memory.RelationSupersededBy, "newest", 1),
		relation("older", memory.RelationSupersededBy, "old", 0),
		relation("late", memory.RelationContradicts, "old", 1),
		relation("b", memory.RelationContradicts, "old", 3),
		relation("a", memory.RelationContradicts, "old", 3),
		relation("old", memory.RelationContradicts, "victim", 4),
		relation("x", memory.RelationRelatedTo, "old", 0),
	}
	assert.Equal(t, "newest", memory.SupersededBy("old", relations))
	assert.Equal(t, []string{"a", "b", "late"}, memory.ContradictedBy("old", relations))
	assert.Empty(t, memory.SupersededBy("x", relations))
	assert.Equal(t, []string{}, memory.ContradictedBy("x", nil))
}

func TestConceptNote(t *testing.T) {
	t.Parallel()
	assert.Empty(t, memory.ConceptNote("", nil))
	assert.Equal(t, "Superseded by Refunds 2025.", memory.ConceptNote("Refunds 2025", nil))
	assert.Equal(t, "Contradicted by A, B.", memory.ConceptNote("", []string{"A", "B"}))
	assert.Equal(t, "Superseded by C. Contradicted by A.", memory.ConceptNote("C", []string{"A"}))
}

func TestConceptAsOf(t *testing.T) {
	t.Parallel()
	revisions := []memory.ConceptRevision{
		{Content: "Always.", Labels: []string{}, At: memorytest.Day(-4)}, {Content: "Within a day.", Labels: []string{"policy"}, At: memorytest.Day(-2)},
	}
	concept := memory.Concept{
		Content: "Within two days.", Labels: []string{"rule"}, Revisions: revisions, CreatedAt: memorytest.Day(-4), UpdatedAt: memorytest.Day(-1),
	}
	assert.Nil(t, concept.AsOf(memorytest.Day(-5)), "it was not known yet")
	for name, test := range map[string]struct {
		day     float64
		content string
		labels  []string
		kept    int
		since   float64
	}{
		"as it was added":    {-4, "Always.", []string{}, 0, -4},
		"before it changed":  {-3, "Always.", []string{}, 0, -4},
		"when it changed":    {-2, "Within a day.", []string{"policy"}, 1, -2},
		"when it did again":  {-1, "Within two days.", []string{"rule"}, 2, -1},
		"as it has been now": {0, "Within two days.", []string{"rule"}, 2, -1},
	} {
		t.Run(name, func(t *testing.T) {
			then := concept.AsOf(memorytest.Day(test.day))
			require.NotNil(t, then)
			assert.Equal(t, test.content, then.Content)
			assert.Equal(t, test.labels, then.Labels)
			assert.Equal(t, revisions[:test.kept], then.Revisions)
			assert.Equal(t, memorytest.Day(test.since), then.UpdatedAt)
		})
	}
	assert.Equal(t, "Within two days.", concept.Content, "it is a copy")
}
