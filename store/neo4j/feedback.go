package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/words"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) cypher.Parameters {
	f := &record.Feedback
	properties := cypher.Parameters{
		"tenant": tenant, "key": f.Key, "type": string(f.Type), "rating": f.Rating, "score": f.Score,
		"corrections": f.Corrections, "comment": f.Comment, "source": string(f.Source), "agentExecutionId": f.AgentExecutionID,
		"createdBy": f.CreatedBy, "createdAt": bolt.Instant(f.CreatedAt), "session": f.SessionKey,
		"way": string(linking.Feedback(f).Kind), "namedCanvas": f.CanvasKey, "inputHash": graph.HashText(record.InputHash),
		"waiting": true, // until it is linked
	}
	words.Give(memory.KindFeedback, properties)
	encodeReceipt(properties, f.Receipt)
	return properties
}

func feedbackOf(f *bolt.Fields) *memory.Feedback {
	feedback := &memory.Feedback{
		Key: f.Key(memory.KindFeedback), EpisodeKey: f.OptionalText("episode"), CanvasKey: f.OptionalText("canvas"),
		SessionKey: f.OptionalText("session"),
		Reaction: memory.Reaction{
			Type: bolt.Word[memory.FeedbackType](f, "type"), Rating: f.OptionalInteger("rating"), Score: f.Number("score"),
			Corrections: f.OptionalText("corrections"), Comment: f.OptionalText("comment"), Source: bolt.Word[memory.FeedbackSource](f, "source"),
			AgentExecutionID: f.OptionalText("agentExecutionId"), CreatedBy: f.OptionalText("createdBy"), CreatedAt: f.Instant("createdAt"),
		},
		Receipt: receiptOf(f),
	}
	f.Check("rating", feedback.Check())
	return feedback
}

// Feedback reads known feedback; see store.FeedbackStore.
func (s *tenantStore) Feedback(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	return readByKey(ctx, s, cypher.Named("feedback"), keys, decodeFeedback, func(f *memory.Feedback) string { return f.Key })
}

var decodeFeedback = bolt.NodeIn("f", feedbackOf)

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, count bool) bolt.Query {
	form := ownedList{Label: graph.Labels[memory.KindFeedback], As: "f", After: of.Page.After != nil, Count: count}
	var owners any
	switch {
	case of.Episode != nil:
		form.Owner, owners = "episode", []string{*of.Episode}
	case of.Canvases != nil:
		form.Owner, owners = "canvas", graph.SetOf(of.Canvases...).Sorted()
	default:
		form.Owner, owners = "waiting", byWaiting(of.Waiting)
	}
	return s.Query(cypher.Rendered("list_feedback", form), ownedParameters(owners, of.Page))
}

// ListFeedback reads a page of an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) ListFeedback(ctx context.Context, of store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Feedback, error) {
		of.Page = p
		return bolt.Read(ctx, s.Connection, s.feedbackQuery(of, false), decodeFeedback)
	}
	return bolt.PageInBytes(ctx, of.Page, list, func(f *memory.Feedback) store.Position {
		return store.Position{At: f.CreatedAt, Key: f.Key}
	})
}

// CountFeedback counts an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) CountFeedback(ctx context.Context, of store.FeedbackOf) (int, error) {
	of.Page = store.Page{}
	return s.Count(ctx, s.feedbackQuery(of, true))
}

// RecordFeedback writes feedback and links it; see store.FeedbackStore.
func (s *tenantStore) RecordFeedback(ctx context.Context, records []store.FeedbackRecord) ([]store.Recorded, error) {
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return s.feedback.Record(ctx, records)
}

func (t *transaction) recordFeedback(records []store.FeedbackRecord) ([]store.Recorded, error) {
	known, err := graph.Lock(t.Transaction, feedbackScope(records))
	if err != nil {
		return nil, err
	}
	recorded, fresh := freshFeedback(records, known.Hashes)
	picked, err := graph.Pick(t.Transaction, sessionTimes(fresh), linking.Pick)
	if err != nil {
		return nil, err
	}
	return recorded, t.createFeedback(fresh, known, picked)
}

// createFeedback writes feedback with its links. Given are the episodes that were found for it, by its key.
func (t *transaction) createFeedback(fresh []*store.FeedbackRecord, known *graph.Locked, found map[string]string) error {
	if len(fresh) == 0 {
		return nil
	}
	rows, arrived, c := make([]cypher.Parameters, len(fresh)), graph.Arrivals{}, graph.NewChanges()
	for i, record := range fresh {
		rows[i] = feedbackProperties(t.TenantID, record)
		c.PlaceFeedback(&record.Feedback, known, found)
		arrived.Add(memory.KindFeedback, record.Feedback.Key)
		arrived.AddOptional(memory.KindSession, record.Feedback.SessionKey)
	}
	values := t.nodes(memory.KindFeedback, rows)
	values["notice"] = graph.Noticed(memory.KindFeedback, rows)
	if err := graph.Create(t.Transaction, c, cypher.Named("create_feedback"), values, arrived); err != nil {
		return err
	}
	return c.Apply(t.Transaction)
}

// feedbackScope is what feedback may be linked to.
func feedbackScope(records []store.FeedbackRecord) graph.Scope {
	s := graph.NewScope()
	for i := range records {
		f := &records[i].Feedback
		s.Sessions.AddOptional(f.SessionKey)
		s.Canvases.AddOptional(f.CanvasKey)
		s.Episodes.AddOptional(f.EpisodeKey)
		if by := linking.Feedback(f); by.Kind == linking.Execution {
			s.Executions.Add(by.Key)
		}
		s.NewFeedback = append(s.NewFeedback, f.Key)
	}
	return s
}

// freshFeedback tells those that are to be written from those that are there already.
func freshFeedback(records []store.FeedbackRecord, hashes map[string]string) ([]store.Recorded, []*store.FeedbackRecord) {
	recorded := make([]store.Recorded, len(records))
	var fresh []*store.FeedbackRecord
	for i := range records {
		key := records[i].Feedback.Key
		recorded[i] = graph.CompareInput(hashes, key, records[i].InputHash)
		if recorded[i].Created {
			fresh = append(fresh, &records[i])
		}
	}
	return recorded, fresh
}

// sessionTimes are the times of feedback that names a session only, by its key.
func sessionTimes(records []*store.FeedbackRecord) map[string]graph.SessionTime {
	times := map[string]graph.SessionTime{}
	for _, record := range records {
		f := &record.Feedback
		if by := linking.Feedback(f); by.Kind == linking.Session {
			times[f.Key] = graph.SessionTime{Session: by.Key, Kind: memory.KindFeedback, At: f.CreatedAt}
		}
	}
	return times
}
