package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// feedbackList gathers feedback.
type feedbackList []*memory.Feedback

func (l *feedbackList) add(r *row) error {
	*l = keep(r, *l, readFeedback(r))
	return nil
}

func (l feedbackList) newestFirst() []*memory.Feedback {
	slices.SortFunc(l, func(a, b *memory.Feedback) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
	})
	return l
}

var ownedFeedback = ownedBy(edgeReceived, feedbackColumns+` FROM edges p JOIN feedback f ON f.id = p.target`+feedbackTables, ``)

// loadFeedback reads the newest feedback of episodes.
func loadFeedback(c *conn, episodes []*memory.Episode, asOf *time.Time) error {
	for _, e := range episodes {
		e.Context.Feedback = make([]*memory.Feedback, 0, min(e.FeedbackCount, memory.ContextLimit))
	}
	var read feedbackList
	count := func(e *memory.Episode) int { return e.FeedbackCount }
	if err := ownedFeedback.read(c, episodes, asOf, count, read.add); err != nil {
		return err
	}
	owners := byKey(episodes)
	for _, f := range read.newestFirst() {
		context := owners[*f.EpisodeKey].Context
		context.Feedback = append(context.Feedback, f)
	}
	return nil
}

var feedbackByKey = feedbackColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'feedback' AND q.key = w.value
	JOIN feedback f ON f.id = q.id` + feedbackEdge + feedbackTables

// Feedback reads feedback by key.
func (t *Tenant) Feedback(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	return recordsByKey(ctx, t, memory.KindFeedback, feedbackByKey, keys, readFeedback, func(f *memory.Feedback) string { return f.Key })
}

// ListFeedback reads a page of an owner's feedback.
func (t *Tenant) ListFeedback(ctx context.Context, query store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	from, w, err := feedbackOf(&query)
	if err != nil {
		return nil, false, err
	}
	w.addAfter(`f.created_at`, query.Page.After)
	find := feedbackColumns + ` FROM (SELECT f.id` + from + ` WHERE ` + w.sql() + ` ORDER BY f.created_at DESC, k.key LIMIT :limit) w
		JOIN feedback f ON f.id = w.id` + feedbackEdge + feedbackTables
	return wholePage(ctx, t.read, query.Page.Limit, func(c *conn, most int) ([]*memory.Feedback, error) {
		var read feedbackList
		err := c.search(ctx, find, read.add, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		return read.newestFirst(), err
	})
}

// CountFeedback counts an owner's feedback.
func (t *Tenant) CountFeedback(ctx context.Context, query store.FeedbackOf) (int, error) {
	from, w, err := feedbackOf(&query)
	if err != nil {
		return 0, err
	}
	return t.count(ctx, `SELECT count(*)`+from+` WHERE `+w.sql(), w.args)
}

// feedbackOf says where an owner's feedback is.
func feedbackOf(query *store.FeedbackOf) (from string, w conditions, err error) {
	if query.Episode != nil {
		from = ` FROM edges r CROSS JOIN feedback f ON f.id = r.target JOIN nodes k ON k.id = f.id`
		w.add(`r.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode) AND r.type = 'RECEIVED'`,
			arg("episode", query.Episode))
		return from, w, nil
	}
	list, err := jsonOf(query.Canvases)
	if err != nil {
		return "", w, err
	}
	from = ` FROM edges r CROSS JOIN feedback f ON f.id = r.source JOIN nodes k ON k.id = f.id`
	w.add(`r.target IN (SELECT id FROM nodes WHERE kind = 'canvas' AND key IN (SELECT value FROM json_each(:canvases))) AND r.type = 'ON'`,
		arg("canvases", list))
	return from, w, nil
}
