package transfer

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store"
)

// A field without a name in lines would get the one it has in Go, and keep it for ever.
func TestEveryFieldIsNamed(t *testing.T) {
	t.Parallel()
	for _, line := range []any{
		keptTenant{}, keptEvent{}, keptTombstone{}, store.AgentItem{}, store.MemoirRecord{}, store.ConceptRecord{},
		store.RelationItem{}, store.EpisodeRecord{}, store.CanvasItem{}, store.FeedbackItem{}, store.ExecutionRecord{},
		store.RunItem{}, store.VerdictRecord{}, store.PatternItem{}, store.SectionTypeItem{}, store.JudgeThresholdItem{},
		store.ObservationRecord{}, store.CorrectionRecord{}, store.SpanItem{},
	} {
		assertNamed(t, reflect.TypeOf(line))
	}
}

func assertNamed(t *testing.T, line reflect.Type) {
	t.Helper()
	for i := range line.NumField() {
		field := line.Field(i)
		if field.Anonymous {
			assertNamed(t, field.Type)
			continue
		}
		assert.NotEmpty(t, field.Tag.Get("json"), "%s.%s", line, field.Name)
	}
}
