package sqlite

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// ListEpisodes reads a page of episodes, with their context. It finds the page by the narrow rows
// first, then reads what the episodes hold.
func (t *Tenant) ListEpisodes(ctx context.Context, query store.EpisodeQuery) ([]*memory.Episode, bool, error) {
	w := filtered(&query.Filter, nil)
	order := w.addOrder(query.Order, query.Page.After)
	find := `SELECT ` + episodeColumns + aggregatesNow + ` FROM (SELECT e.id FROM episodes e JOIN nodes k ON k.id = e.id WHERE ` +
		w.sql() + ` ORDER BY ` + order + ` LIMIT :limit) w JOIN episodes e ON e.id = w.id JOIN nodes n ON n.id = e.id` + episodeTables
	return wholePage(ctx, t.snapshot, query.Page.Limit, func(c *conn, most int) (listed []*memory.Episode, err error) {
		err = c.search(ctx, find, func(r *row) error {
			listed = keep(r, listed, readEpisode(r, query.Parts))
			return nil
		}, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(listed, listOrders[query.Order])
		left := c.left
		err = loadContext(c, listed[:min(len(listed), query.Page.Limit)], query.Parts, nil)
		c.left = left // of what comes along, each was told of
		return listed, err
	})
}

// CountEpisodes counts what a filter keeps.
func (t *Tenant) CountEpisodes(ctx context.Context, filter store.EpisodeFilter) (int, error) {
	w := filtered(&filter, nil)
	return t.count(ctx, `SELECT count(*) FROM episodes e WHERE `+w.sql(), w.args)
}

// addOrder answers an order in SQL, and goes on behind a position in it.
func (w *conditions) addOrder(order store.EpisodeOrder, after *store.Position) string {
	switch order {
	case store.OldestFirst:
		if after != nil {
			w.add(`e.started_at >= :after_at AND (e.started_at > :after_at OR k.key > :after_key)`,
				arg("after_at", after.At), arg("after_key", after.Key))
		}
		return `e.started_at, k.key`
	case store.BestFeedbackFirst:
		w.addAfterScore(after)
		return `e.feedback_order DESC, e.started_at DESC, k.key`
	default:
		w.addAfter(`e.started_at`, after)
		return `e.started_at DESC, k.key`
	}
}

// addAfterScore goes on behind a score, of which null is the last.
func (w *conditions) addAfterScore(after *store.Position) {
	if after == nil {
		return
	}
	score := noScore
	if after.Value != nil {
		score = *after.Value
	}
	w.add(`e.feedback_order <= :after_score AND (e.feedback_order < :after_score OR
		e.started_at < :after_at OR e.started_at = :after_at AND k.key > :after_key)`,
		arg("after_score", score), arg("after_at", after.At), arg("after_key", after.Key))
}

// noScore is the feedback_order of episodes without feedback.
const noScore = -1e308

// listOrders put a page in its order again after its contents were read.
var listOrders = map[store.EpisodeOrder]func(a, b *memory.Episode) int{
	store.NewestFirst: newestFirst,
	store.OldestFirst: oldestFirst,
	store.BestFeedbackFirst: func(a, b *memory.Episode) int {
		return cmp.Or(-compareScores(a.AggregateFeedbackScore(), b.AggregateFeedbackScore()), newestFirst(a, b))
	},
}

func newestFirst(a, b *memory.Episode) int {
	return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.Key, b.Key))
}

func oldestFirst(a, b *memory.Episode) int {
	return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.Key, b.Key))
}

// compareScores takes null for less than any score.
func compareScores(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}
