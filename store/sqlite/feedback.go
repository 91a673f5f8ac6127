package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// feedbackFields are the columns of feedback.
func feedbackFields(f *memory.Feedback) []column {
	return []column{
		{"type", oneOf(&f.Type)}, {"rating", &f.Rating}, {"score", &f.Score}, {"corrections", &f.Corrections}, {"comment", &f.Comment},
		{"source", oneOf(&f.Source)}, {"execution", &f.AgentExecutionID}, {"created_by", &f.CreatedBy}, {"created_at", &f.CreatedAt},
		{"tokens_before", &f.Receipt.TokensBefore}, {"tokens_after", &f.Receipt.TokensAfter}, {"redactions", listIn(&f.Receipt.Redactions)},
	}
}

// feedbackLinks are what stands in edges: its episode, its canvas and its session.
func feedbackLinks(f *memory.Feedback) []column {
	return []column{{"episode", &f.EpisodeKey}, {"canvas", &f.CanvasKey}, {"session", &f.SessionKey}}
}

// Feedback is f, its node n, the edge from its episode p.
var (
	feedbackColumns   = `SELECT n.key, o.key AS episode, v.key AS canvas, s.key AS session, ` + selected("f", feedbackFields(&memory.Feedback{}))
	feedbackScanner   = scannerOf(feedbackLinks, feedbackFields)
	insertingFeedback = inserting("feedback", feedbackFields(&memory.Feedback{}), "id", "leads_by", "input_hash")
)

const (
	feedbackTables = ` JOIN nodes n ON n.id = f.id
		LEFT JOIN nodes o ON o.id = p.source` + feedbackEnds
	feedbackEnds = `
		LEFT JOIN edges d ON d.source = f.id AND d.type = 'ON'
		LEFT JOIN nodes v ON v.id = d.target
		LEFT JOIN edges i ON i.source = f.id AND i.type = 'IN_SESSION'
		LEFT JOIN nodes s ON s.id = i.target`
	feedbackEdge = ` LEFT JOIN edges p ON p.target = f.id AND p.type = 'RECEIVED'`
)

func readFeedback(r *row) *memory.Feedback {
	f := &memory.Feedback{Key: r.key(memory.KindFeedback)}
	feedbackScanner.scan(f, r)
	r.check(f.Check())
	return f
}

func insertFeedback(c *conn, id int64, record *store.FeedbackRecord) error {
	f := &record.Feedback
	return c.put(insertingFeedback, feedbackFields(f), arg("id", id), arg("leads_by", string(linking.Feedback(f).Kind)),
		arg("input_hash", blob(record.InputHash)))
}

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

// RecordFeedback writes a batch in one transaction.
func (t *Tenant) RecordFeedback(ctx context.Context, records []store.FeedbackRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordFeedback, func(r *store.FeedbackRecord) string { return r.Feedback.Key })
}

func recordFeedback(c *conn, record *store.FeedbackRecord) (created bool, err error) {
	f := &record.Feedback
	if known, err := sameAsRecorded(c, memory.KindFeedback, f.Key, hashOfFeedback, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	id, err := writeFeedback(c, record)
	if err != nil {
		return false, err
	}
	return true, linkFeedback(c, id, f)
}

// writeFeedback writes a feedback with all but its episode.
func writeFeedback(c *conn, record *store.FeedbackRecord) (id int64, err error) {
	f := &record.Feedback
	if id, err = addNode(c, memory.KindFeedback, f.Key); err != nil {
		return id, err
	}
	if err := insertFeedback(c, id, record); err != nil {
		return id, err
	}
	if err := index(c, memory.KindFeedback, id); err != nil {
		return id, err
	}
	session, err := ensureSession(c, f.SessionKey)
	if err != nil {
		return id, err
	}
	if session != 0 {
		if err := addEdge(c, id, edgeInSession, session, f.CreatedAt); err != nil {
			return id, err
		}
	}
	if f.CanvasKey == nil {
		return id, nil
	}
	return id, linkNamed(c, id, edgeOn, memory.KindCanvas, *f.CanvasKey, f.CreatedAt)
}

// linkFeedback gives feedback its episode, or lets it wait for it.
func linkFeedback(c *conn, id int64, f *memory.Feedback) error {
	by := linking.Feedback(f)
	episode, err := leadTo(c, by, f.CreatedAt)
	switch {
	case err != nil:
	case episode != 0:
		err = receive(c, id, 0, episode, f.CreatedAt, f.Score)
	case by.Waits():
		err = wait(c, by.Kind, by.Key, id)
	}
	return err
}

// executedBy is the episode that covers an execution, the first started of several; 0 where none does.
func executedBy(c *conn, execution string) (episode int64, err error) {
	const find = `SELECT e.id FROM episode_executions x JOIN episodes e ON e.id = x.episode JOIN nodes n ON n.id = e.id
		WHERE x.key = :key ORDER BY e.started_at, n.key LIMIT 1`
	_, err = c.one(find, func(r *row) { episode = r.integer() }, arg("key", execution))
	return episode, err
}
