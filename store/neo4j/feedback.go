package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Feedback reads known feedback; see store.FeedbackStore.
func (s *tenantStore) Feedback(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	return readByKey(ctx, s, "feedback", keys, decodeFeedback, func(f *memory.Feedback) string { return f.Key })
}

func decodeFeedback(row *neo4j.Record) (*memory.Feedback, error) {
	node, err := column[neo4j.Node]("f")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	return f.feedback(), f.err
}

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, count bool) (query, error) {
	owners, form := setOf(of.Canvases...), ownedList{Owner: "canvas", After: of.Page.After != nil, Count: count}
	if of.Episode != nil {
		owners, form.Owner = setOf(*of.Episode), "episode"
	}
	text, err := expand("list_feedback", form)
	return s.query("list_feedback", text, ownedParameters(owners.sorted(), of.Page)), err
}

// ListFeedback reads a page of an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) ListFeedback(ctx context.Context, of store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Feedback, error) {
		of.Page = p
		q, err := s.feedbackQuery(of, false)
		if err != nil {
			return nil, err
		}
		return read(ctx, s.backend, q, decodeFeedback)
	}
	return pageInBytes(ctx, of.Page, list, func(f *memory.Feedback) store.Position {
		return store.Position{At: f.CreatedAt, Key: f.Key}
	})
}

// CountFeedback counts an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) CountFeedback(ctx context.Context, of store.FeedbackOf) (int, error) {
	of.Page = store.Page{}
	q, err := s.feedbackQuery(of, true)
	if err != nil {
		return 0, err
	}
	return s.count(ctx, q)
}
