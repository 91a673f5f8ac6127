package neo4j

import (
	"context"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// AwaitedEpisodes reads which episodes canvases or feedback wait for by name; see store.EpisodeReader.
func (s *tenantStore) AwaitedEpisodes(ctx context.Context, kind memory.Kind, keys []string) (map[string]string, error) {
	awaited := map[string]string{}
	if len(keys) == 0 {
		return awaited, nil
	}
	q := s.Query(cypher.Rendered("awaited_episodes", cypher.Label(kind)), cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
	err := s.Each(ctx, q, func(f *bolt.Fields) { awaited[f.Text("record")] = f.Text("episode") })
	return awaited, err
}

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) cypher.Parameters {
	f := &record.Feedback
	properties := graph.Properties(tenant, f.Key, record.InputHash, fields.Feedback(f).Own())
	properties["session"], properties["way"], properties["namedCanvas"] = f.SessionKey, string(linking.Feedback(f).Kind), f.CanvasKey
	properties["waiting"] = true // until it is linked
	return properties
}

func feedbackOf(f *bolt.Fields) *memory.Feedback {
	feedback := &memory.Feedback{}
	f.Scan(fields.Feedback(feedback))
	f.Check("rating", feedback.Check())
	return feedback
}

// linked makes a function of package linking one of a transaction.
func linked[R, A any](do func(tx linking.Tx, records []R) (A, error)) func(t *transaction, records []R) (A, error) {
	return func(t *transaction, records []R) (A, error) { return do(t, records) }
}

// FeedbackItem locks feedback and reads it with what it named.
func (t *transaction) FeedbackItem(key string) (*store.FeedbackItem, error) {
	return bolt.FirstOf(t.Transaction, cypher.Named("feedback_item"), cypher.Parameters{"key": key}, feedbackItemOf)
}

// WriteCanvases writes canvases and ties them to their sessions.
func (t *transaction) WriteCanvases(changes []*linking.CanvasChange) (map[string][]linking.Interval, error) {
	rows, intervals := make([]cypher.Parameters, len(changes)), map[string][]linking.Interval{}
	for i, c := range changes {
		rows[i] = cypher.Parameters{"key": c.Key, "properties": graph.CanvasProperties(c), "joins": c.Joins, "was": bolt.OptionalInstant(c.Was)}
	}
	return intervals, t.Run(cypher.Named("write_canvases"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
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
	return t.Creating(cypher.Named("create_feedback"), t.nodes(memory.KindFeedback, rows, said), arrived)
}

// EndFeedback lets feedback count until an instant only.
func (t *transaction) EndFeedback(ends map[string]time.Time) (ended []linking.FeedbackLink, err error) {
	var rows []cypher.Parameters
	for _, key := range slices.Sorted(maps.Keys(ends)) {
		rows = append(rows, cypher.Parameters{"key": key, "at": bolt.Instant(ends[key])})
	}
	err = t.Run(cypher.Named("end_feedback"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		ended = append(ended, linking.FeedbackLink{Key: f.Text("key"), Episode: f.OptionalText("episode"), Score: f.Sum("score")})
	})
	return ended, err
}
