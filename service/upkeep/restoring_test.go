package upkeep_test

import (
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service/upkeep"
	"mneme/store"
)

// unknown is of a kind that nobody has written a look for.
type unknown struct{ *store.RunItem }

// What is not looked at on its way back does not come back.
func TestAnUnknownKindIsNotRestored(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	run := &store.RunItem{Run: memory.Run{Key: "r", StartedAt: servicetest.Noon}}
	items := []upkeep.Kept{unknown{run}, run, make(store.Tombstone, memory.TombstoneBytes)}
	restored, err := svc.Upkeep.Restore(t.Context(), items, false)
	require.NoError(t, err)
	servicetest.RequireCode(t, restored[0].Err, memory.CodeInvalidInput, "kind")
	for i, of := range restored[1:] {
		require.NoError(t, of.Err, "%T", items[1+i])
	}
	restored, err = servicetest.Open(t).Upkeep.Restore(t.Context(), []upkeep.Kept{&store.TenantItem{InputKey: store.NewInputKey()}}, false)
	require.NoError(t, err)
	require.NoError(t, restored[0].Err)
}

func heldSpan(change func(*capture.Span)) *store.SpanItem {
	span := capture.Span{ID: "s", Kind: capture.SpanAgent, Name: "n", StartedAt: servicetest.Noon, EndedAt: servicetest.Noon}
	change(&span)
	return &store.SpanItem{HeldSpan: store.HeldSpan{Trace: "t", Span: span}, ArrivedAt: servicetest.Noon}
}

// Of several faults of a span, the same is told each time; and of labels that are one without a secret, the same stays.
func TestTheSameIsSaidOfASpanEachTime(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	for range 30 {
		faulty := heldSpan(func(s *capture.Span) {
			s.Parent, s.Agent, s.Session, s.TaskType, s.CallID = "\a", "\a", "\a", "\a", "\a"
		})
		labelled := heldSpan(func(s *capture.Span) {
			s.Labels = map[string]string{"<private>a</private>": "first", "<private>b</private>": "second", "<private>c</private>": "third"}
		})
		restored, err := svc.Upkeep.Restore(t.Context(), []upkeep.Kept{faulty, labelled}, false)
		require.NoError(t, err)
		servicetest.RequireCode(t, restored[0].Err, memory.CodeInvalidInput, "span.parent")
		require.NoError(t, restored[1].Err)
		assert.Equal(t, map[string]string{"[private]": "third"}, labelled.Span.Labels)
	}
}
