package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
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
	written, err := writeFeedback(c, record)
	if err != nil {
		return false, err
	}
	return true, linkFeedback(c, written, f)
}

// reaction is a feedback that is written but has no episode yet.
type reaction struct{ id, session, canvas int64 } // 0 for none

// writeFeedback writes a feedback with all but its episode.
func writeFeedback(c *conn, record *store.FeedbackRecord) (written reaction, err error) {
	f := &record.Feedback
	if written.id, err = addNode(c, memory.KindFeedback, f.Key); err != nil {
		return written, err
	}
	if err := insertFeedback(c, written.id, record); err != nil {
		return written, err
	}
	if f.Corrections != nil {
		if err := addWords(c, written.id, analyse(memory.KindFeedback, "", *f.Corrections, "")); err != nil {
			return written, err
		}
	}
	if written.session, err = ensureSession(c, f.SessionKey); err != nil {
		return written, err
	}
	if written.session != 0 {
		if err := addEdge(c, written.id, edgeInSession, written.session, f.CreatedAt); err != nil {
			return written, err
		}
	}
	written.canvas, err = linkFeedbackCanvas(c, written.id, f)
	return written, err
}

// The ways from feedback to its episode, of which the first that it names counts.
const (
	leadsByEpisode   = "episode"
	leadsByExecution = "execution"
	leadsByCanvas    = "canvas"
	leadsBySession   = "session"
)

func leadsBy(f *memory.Feedback) string {
	switch {
	case f.EpisodeKey != nil:
		return leadsByEpisode
	case f.AgentExecutionID != nil:
		return leadsByExecution
	case f.CanvasKey != nil:
		return leadsByCanvas
	}
	return leadsBySession
}

// linkFeedbackCanvas links feedback with the canvas it names, or lets it wait for it. It answers the
// canvas, 0 where there is none.
func linkFeedbackCanvas(c *conn, id int64, f *memory.Feedback) (canvas int64, err error) {
	if f.CanvasKey == nil {
		return 0, nil
	}
	canvas, err = nodeID(c, memory.KindCanvas, *f.CanvasKey)
	if err != nil {
		return 0, err
	}
	if canvas == 0 {
		return 0, wait(c, memory.KindCanvas, *f.CanvasKey, id)
	}
	return canvas, addEdge(c, id, edgeOn, canvas, f.CreatedAt)
}

// linkFeedback gives feedback its episode, or lets it wait for it. Feedback on a canvas without an
// episode needs no wait of its own: it follows the canvas.
func linkFeedback(c *conn, written reaction, f *memory.Feedback) (err error) {
	var episode int64
	var waitFor memory.Kind
	var key *string
	switch leadsBy(f) {
	case leadsByEpisode:
		episode, err = nodeID(c, memory.KindEpisode, *f.EpisodeKey)
		waitFor, key = memory.KindEpisode, f.EpisodeKey
	case leadsByExecution:
		episode, err = executedBy(c, *f.AgentExecutionID)
		waitFor, key = waitExecution, f.AgentExecutionID
	case leadsByCanvas:
		episode, err = sourceOf(c, edgePresented, written.canvas)
	case leadsBySession:
		episode, err = place(c, written.session, f.CreatedAt)
		waitFor, key = memory.KindSession, f.SessionKey
	}
	switch {
	case err != nil:
		return err
	case episode != 0:
		err = receive(c, written.id, episode, f.CreatedAt, f.Score)
	case key != nil:
		err = wait(c, waitFor, *key, written.id)
	}
	return err
}

// executedBy is the episode that covers an execution, the first started of several; 0 where none does.
func executedBy(c *conn, execution string) (episode int64, err error) {
	const find = `SELECT e.id FROM executions x JOIN episodes e ON e.id = x.episode JOIN nodes n ON n.id = e.id
		WHERE x.key = :key ORDER BY e.started_at, n.key LIMIT 1`
	_, err = c.one(find, func(r *row) { episode = r.integer() }, arg("key", execution))
	return episode, err
}
