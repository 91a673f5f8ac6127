package storetest

import (
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// listingAgreesWithModel walks random lists in pages and compares them with the model's.
func listingAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	w.fill(12)
	for range 4 {
		filter := w.filter()
		for order := store.NewestFirst; order <= store.BestFeedbackFirst; order++ {
			w.requireList(filter, order)
		}
	}
}

func (w *world) requireList(filter store.EpisodeFilter, order store.EpisodeOrder) {
	w.t.Helper()
	want := w.model.list(filter, order, nil)
	limit := rapid.IntRange(1, 6).Draw(w.random, "limit")
	query := store.EpisodeQuery{Filter: filter, Order: order, Parts: store.WithAgent | store.WithCanvases | store.WithFeedback}
	walked := walk(w.tenant, limit, func(page store.Page) ([]*memory.Episode, bool, error) {
		query.Page = page
		return w.ListEpisodes(w.ctx(), query)
	}, func(e *memory.Episode) store.Position {
		return positionOf(e, order)
	})
	w.Equal(episodeKeys(want), episodeKeys(walked), "order %d, pages of %d", order, limit)
	w.Equal(want, walked)
	w.Equal(len(want), w.count(w.CountEpisodes(w.ctx(), filter)))
}

// positionOf is the place of an episode in an order.
func positionOf(e *memory.Episode, order store.EpisodeOrder) store.Position {
	position := store.Position{At: e.StartedAt, Key: e.Key}
	if order == store.BestFeedbackFirst {
		position.Value = e.AggregateFeedbackScore()
	}
	return position
}
