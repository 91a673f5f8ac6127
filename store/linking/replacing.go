package linking

import (
	"cmp"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

// Replace completes a feedback that takes the place of an earlier one, nil where that is not there: what it does not
// name itself it takes from the earlier, so that both are on the same. Its errors are *memory.Error at the field
// replaces, or at what names another target.
func Replace(record *store.FeedbackRecord, earlier *store.FeedbackItem) error {
	f, id := &record.Feedback, memory.NodeID(memory.KindFeedback, *record.Feedback.Replaces)
	refused := func(code memory.Code, cause error, format string, args ...any) error {
		return &memory.Error{Code: code, Field: "replaces", Message: id + " " + fmt.Sprintf(format, args...), Cause: cause}
	}
	switch {
	case earlier == nil, record.ByUserKey && !same(earlier.UserID, f.UserID):
		return refused(memory.CodeNotFound, store.ErrNotFound, "does not exist")
	case !record.ByAdmin && !same(f.CreatedBy, earlier.CreatedBy):
		return refused(memory.CodeForbidden, store.ErrInvalid, "has another createdBy: give the same, or let an admin replace it")
	case earlier.ReplacedAt != nil:
		return refused(memory.CodeConflict, store.ErrConflict, "was replaced already: replace the feedback that took its place")
	}
	follows := f.EpisodeKey == nil && Feedback(&earlier.Feedback).Kind == memory.KindCanvas
	episode := cmp.Or(earlier.Linked, earlier.EpisodeKey)
	for _, target := range []struct {
		field          string
		named, earlier **string
	}{
		{"episodeId", &f.EpisodeKey, &episode}, {"canvasId", &f.CanvasKey, &earlier.CanvasKey},
		{"sessionId", &f.SessionKey, &earlier.SessionKey}, {"userId", &f.UserID, &earlier.UserID}, {"agentExecutionId", &f.AgentExecutionID, &earlier.AgentExecutionID},
	} {
		switch {
		case *target.named == nil:
			*target.named = *target.earlier
		case *target.earlier != nil && !same(*target.named, *target.earlier):
			return &memory.Error{
				Code: memory.CodeInvalidInput, Field: target.field, Cause: store.ErrInvalid,
				Message: "is another than that of " + id + ", which is to be replaced: leave it out",
			}
		}
	}
	f.Source = cmp.Or(f.Source, earlier.Source)
	if follows { // the canvas to its episode, as the earlier does
		f.EpisodeKey = nil
	}
	return nil
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
