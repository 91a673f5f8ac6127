package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Feedback reads known feedback; see store.FeedbackStore.
func (s *tenantStore) Feedback(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	return readByKey(ctx, s, named("feedback"), keys, decodeFeedback, func(f *memory.Feedback) string { return f.Key })
}

func decodeFeedback(row *neo4j.Record) (*memory.Feedback, error) {
	node, err := column[neo4j.Node]("f")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	return f.feedback(), f.err
}

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, count bool) query {
	owners, form := setOf(of.Canvases...), ownedList{Owner: "canvas", After: of.Page.After != nil, Count: count}
	if of.Episode != nil {
		owners, form.Owner = setOf(*of.Episode), "episode"
	}
	return s.query(rendered("list_feedback", form), ownedParameters(owners.sorted(), of.Page))
}

// ListFeedback reads a page of an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) ListFeedback(ctx context.Context, of store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Feedback, error) {
		of.Page = p
		return read(ctx, s.backend, s.feedbackQuery(of, false), decodeFeedback)
	}
	return pageInBytes(ctx, of.Page, list, func(f *memory.Feedback) store.Position {
		return store.Position{At: f.CreatedAt, Key: f.Key}
	})
}

// CountFeedback counts an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) CountFeedback(ctx context.Context, of store.FeedbackOf) (int, error) {
	of.Page = store.Page{}
	return s.count(ctx, s.feedbackQuery(of, true))
}
