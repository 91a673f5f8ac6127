package invariants_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/invariants"
)

func damaged(kind memory.Kind, key string) *store.Damaged {
	return &store.Damaged{Kind: kind, Key: key}
}

func TestUnreadableNamesTheFirst(t *testing.T) {
	t.Parallel()
	assert.Equal(t, store.Finding{Found: "3 can be read"}, invariants.Unreadable(nil, 3))
	var many []*store.Damaged
	for i := range 21 {
		many = append(many, damaged(memory.KindRun, fmt.Sprint(i)))
	}
	f := invariants.Unreadable(many, 0)
	assert.Len(t, f.Unreadable, 21)
	assert.Contains(t, f.Fault, "21 cannot be read")
	assert.Contains(t, f.Fault, "run:19, …")
	assert.Contains(t, f.Remedy, "mneme forget --unreadable run:0")
}

// What is wrong with both settings is told together, each with its remedy.
func TestSettingsAreToldTogether(t *testing.T) {
	t.Parallel()
	key := damaged(store.KindSetting, "inputKey")
	assert.Equal(t, store.Finding{Found: "can be read"}, invariants.Settings(nil, "vectorLength", 3, 3))
	assert.Equal(t, store.RemedyRebuild, invariants.Settings(nil, "vectorLength", 0, 3).Remedy)
	both := invariants.Settings(key, "vectorLength", 0, 3)
	assert.Equal(t, []string{"setting:inputKey"}, both.Unreadable)
	assert.Contains(t, both.Fault, "the setting inputKey is gone")
	assert.Contains(t, both.Fault, "the setting vectorLength is 0")
	assert.Contains(t, both.Remedy, "mneme forget --unreadable setting:inputKey\n"+store.RemedyRebuild)
}

func TestProfilesAreChosenFirst(t *testing.T) {
	t.Parallel()
	found := []*store.Damaged{damaged(memory.KindExecution, "a"), damaged(memory.KindRun, "b"), damaged(memory.KindLearningProfile, "c")}
	chosen := invariants.Chosen(found, []string{"learningProfile:c", "execution:a", "run:none"})
	require.Len(t, chosen, 2)
	assert.Equal(t, "learningProfile:c", chosen[0].ID())
	assert.Equal(t, "execution:a", chosen[1].ID())
}

// A rebuild mends each part in turn, and ends with its context and with the first that cannot be mended.
func TestRebuildGoesThroughTheList(t *testing.T) {
	t.Parallel()
	var mended, told []string
	rebuild := func(ctx context.Context, fault error) error {
		return invariants.Rebuild(ctx, func(step store.RebuildStep) { told = append(told, step.Part) }, func(name string, _ func(int)) error {
			mended = append(mended, name)
			return fault
		})
	}
	require.NoError(t, rebuild(t.Context(), nil))
	require.Len(t, mended, len(invariants.All))
	assert.Equal(t, "indexes", mended[0], "what others are found by comes first")
	assert.True(t, slices.Contains(told, "passages"))
	fault := errors.New("full")
	require.ErrorIs(t, rebuild(t.Context(), fault), fault)
	require.Len(t, mended, len(invariants.All)+1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, rebuild(ctx, nil), context.Canceled)
}

// Each part of an invariant is one that is examined, or that a store examines by itself.
func TestEachPartIsExamined(t *testing.T) {
	t.Parallel()
	for _, i := range invariants.All {
		assert.True(t, i.Fault == "" || slices.Contains(invariants.Parts, i.Part), i.Name)
	}
}
