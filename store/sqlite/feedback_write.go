package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

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
