package neo4j

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// linked makes a function of package linking one of a transaction.
func linked[R, A any](do func(tx linking.Tx, records []R) (A, error)) func(t *transaction, records []R) (A, error) {
	return func(t *transaction, records []R) (A, error) { return do(t, records) }
}

// FeedbackItem reads feedback with what it named, and locks it where asked to.
func (t *transaction) FeedbackItem(key string, lock bool) (*store.FeedbackItem, error) {
	shape := exportShape{Kind: memory.KindFeedback, Waits: true}
	rows, err := bolt.RowsOf(t.Transaction, cypher.Rendered("feedback_item", lock), cypher.Parameters{"key": key}, shape.decode)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0].feedbackItem(), rows[0].Err
}

// WriteCanvases writes canvases and ties them to their sessions.
func (t *transaction) WriteCanvases(changes []*linking.CanvasChange) (map[string][]linking.Interval, error) {
	rows, intervals := make([]cypher.Parameters, len(changes)), map[string][]linking.Interval{}
	for i, c := range changes {
		rows[i] = cypher.Parameters{"key": c.Key, "properties": graph.CanvasProperties(c), "joins": c.Joins, "was": bolt.OptionalInstant(c.Was)}
	}
	return intervals, t.Rows(cypher.Named("write_canvases"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		session := f.Text("session")
		intervals[session] = append(intervals[session], linking.Interval{From: f.Instant("from"), Until: f.Instant("until")})
	})
}

// CreateFeedback writes feedback and ties it to its sessions.
func (t *transaction) CreateFeedback(records []*store.FeedbackRecord, arrived []linking.PendingRef) ([]linking.Waiter, error) {
	rows, said := make([]cypher.Parameters, len(records)), make([]passages.Record, len(records))
	for i, record := range records {
		rows[i], said[i] = feedbackProperties(t.TenantID, record), passages.Of(&record.Feedback)
	}
	values := t.nodes(memory.KindFeedback, rows, said)
	values["notice"] = graph.Noticed(memory.KindFeedback, rows)
	return t.Creating(cypher.Named("create_feedback"), values, arrived)
}

// EndFeedback lets feedback count until an instant only.
func (t *transaction) EndFeedback(ends map[string]time.Time) (ended []linking.FeedbackLink, err error) {
	var rows []cypher.Parameters
	for _, key := range graph.SortedKeys(ends) {
		rows = append(rows, cypher.Parameters{"key": key, "at": bolt.Instant(ends[key])})
	}
	err = t.Rows(cypher.Named("end_feedback"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		ended = append(ended, linking.FeedbackLink{Key: f.Text("key"), Episode: f.OptionalText("episode"), Score: f.Sum("score")})
	})
	return ended, err
}
