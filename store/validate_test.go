package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
)

// Of several faults of a pattern's counts, the same is told each time.
func TestTheFirstFaultOfAPatternIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	faulty := &store.PatternItem{Pattern: memory.Pattern{
		Key: memory.PatternKey(memory.PatternDont, "verse", nil, "x"), SectionType: "verse", Kind: memory.PatternDont, LastSeen: now,
		Hits: -1, Total: -1, Scored: -1, Recovered: -1, RecoverySum: -1,
	}}
	for range 30 {
		var fault *memory.Error
		require.ErrorAs(t, store.Check(faulty), &fault)
		require.Equal(t, "hits", fault.Field)
	}
}

// unknown is of a kind that Check has no look for.
type unknown struct{ *store.RunItem }

// What nothing is known of is not taken for sound.
func TestAnUnknownKindIsUnsound(t *testing.T) {
	t.Parallel()
	var fault *memory.Error
	require.ErrorAs(t, store.Check(unknown{&store.RunItem{}}), &fault)
	assert.Equal(t, "kind", fault.Field)
}

func TestASpanHasAnID(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for id, sound := range map[string]bool{"": false, "0000000000000000": false, "00f067aa0ba902b7": true} {
		span := capture.Span{ID: id, Kind: capture.SpanAgent, StartedAt: now, EndedAt: now}
		err := store.Check(&store.SpanItem{HeldSpan: store.HeldSpan{Trace: "t", Span: span}, ArrivedAt: now})
		assert.Equal(t, sound, err == nil, "%q: %v", id, err)
	}
}

// What is wrong with what a store has is told with the id by which it can be removed.
func TestUnsoundRecordsAreNamed(t *testing.T) {
	t.Parallel()
	for want, item := range map[string]store.Item{
		"relation:PART_OF/a%2Fb/c": &store.RelationItem{Relation: memory.Relation{Type: memory.RelationPartOf, SourceKey: "a/b", TargetKey: "c"}},
		"span:t/s":                 &store.SpanItem{HeldSpan: store.HeldSpan{Trace: "t", Span: capture.Span{ID: "s"}}},
		"sectionType:verse":        &store.SectionTypeItem{SectionType: "verse", Sections: -1},
		"judgeThreshold:a%2Fb/c":   &store.JudgeThresholdItem{JudgeThreshold: memory.JudgeThreshold{JudgeKey: "a/b", SectionType: new("c")}},
		"tombstone:0102":           store.Tombstone{1, 2},
		"run:a/b":                  &store.RunItem{Run: memory.Run{Key: "a/b"}},
	} {
		damaged := store.Validate(item)
		require.NotNil(t, damaged, want)
		assert.Equal(t, want, damaged.ID())
	}
	assert.Nil(t, store.Validate(&store.SectionTypeItem{SectionType: "verse"}))
}
