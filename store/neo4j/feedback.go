package neo4j

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) cypher.Parameters {
	f := &record.Feedback
	properties := cypher.Parameters{
		"tenant": tenant, "key": f.Key, "type": string(f.Type), "rating": f.Rating, "score": f.Score,
		"corrections": f.Corrections, "comment": f.Comment, "source": string(f.Source), "agentExecutionId": f.AgentExecutionID,
		"createdBy": f.CreatedBy, "createdAt": bolt.Instant(f.CreatedAt), "replaces": f.Replaces, "replacedAt": bolt.OptionalInstant(f.ReplacedAt), "session": f.SessionKey, "user": f.UserID,
		"way": string(linking.Feedback(f).Kind), "namedCanvas": f.CanvasKey, "inputHash": graph.HashText(record.InputHash),
		"waiting": true, // until it is linked
	}
	encodeReceipt(properties, f.Receipt)
	return properties
}

func feedbackOf(f *bolt.Fields) *memory.Feedback {
	feedback := &memory.Feedback{
		Key: f.Key(memory.KindFeedback), EpisodeKey: f.OptionalText("episode"), CanvasKey: f.OptionalText("canvas"),
		SessionKey: f.OptionalText("session"), UserID: f.OptionalText("user"), Replaces: f.OptionalText("replaces"), ReplacedAt: f.OptionalInstant("replacedAt"),
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
	form := ownedList{Label: graph.Labels[memory.KindFeedback], As: "f", After: of.Page.After != nil, Count: count, ByUser: of.User != nil}
	var owners any
	switch {
	case of.Episode != nil:
		form.Owner, owners = "episode", []string{*of.Episode}
	case of.Canvases != nil:
		form.Owner, owners = "canvas", graph.SetOf(of.Canvases...).Sorted()
	default:
		form.Owner, owners = "waiting", byWaiting(of.Waiting)
	}
	values := ownedParameters(owners, of.Page)
	values["asOf"] = bolt.OptionalInstant(of.AsOf)
	values["user"], values["shared"] = of.User, of.Shared
	return s.Query(cypher.Rendered("list_feedback", form), values)
}

// ListFeedback reads a page of an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) ListFeedback(ctx context.Context, of store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	return bolt.ReadPage(ctx, s.Connection, of.Page, func(p store.Page) bolt.Query {
		of.Page = p
		return s.feedbackQuery(of, false)
	}, decodeFeedback, func(f *memory.Feedback) store.Position { return store.Position{At: f.CreatedAt, Key: f.Key} })
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

// recordFeedback writes feedback in order: what replaces another, which may be of the same batch, apart from the rest.
func (t *transaction) recordFeedback(records []store.FeedbackRecord) ([]store.Recorded, error) {
	all := make([]store.Recorded, 0, len(records))
	for len(records) > 0 {
		part := slices.IndexFunc(records, func(r store.FeedbackRecord) bool { return r.Replaces != nil })
		if part < 0 {
			part = len(records)
		}
		part = max(1, part)
		recorded, err := t.recordFeedbackPart(slices.Clone(records[:part]))
		if err != nil {
			return nil, err
		}
		all, records = append(all, recorded...), records[part:]
	}
	return all, nil
}

// recordFeedbackPart writes feedback that replaces none, or one that does.
func (t *transaction) recordFeedbackPart(records []store.FeedbackRecord) ([]store.Recorded, error) {
	replaces := records[0].Replaces
	earlier, err := t.feedbackItem(replaces, false)
	if err != nil {
		return nil, err
	}
	var refused error
	if replaces != nil {
		refused = linking.Replace(&records[0], earlier)
	}
	known, err := graph.Lock(t.Transaction, feedbackScope(records))
	if err != nil {
		return nil, err
	}
	if still, err := t.feedbackItem(replaces, true); err != nil || !reflect.DeepEqual(earlier, still) {
		return nil, cmp.Or[error](err, &bolt.Raced{Cause: graph.ErrGone})
	}
	recorded, fresh := freshFeedback(records, known.Hashes)
	if refused != nil && recorded[0].Created {
		return []store.Recorded{{Key: recorded[0].Key, Err: refused}}, nil
	}
	picked, err := graph.Pick(t.Transaction, sessionTimes(fresh), linking.Pick)
	if err != nil {
		return nil, err
	}
	return recorded, t.createFeedback(fresh, known, picked)
}

// feedbackItem reads feedback with what it named, and locks it where asked to; nil where there is none.
func (t *transaction) feedbackItem(key *string, lock bool) (*store.FeedbackItem, error) {
	if key == nil {
		return nil, nil //nolint:nilnil // nothing is asked for
	}
	shape := exportShape{Kind: memory.KindFeedback, Waits: true}
	rows, err := bolt.RowsOf(t.Transaction, cypher.Rendered("feedback_item", lock), cypher.Parameters{"key": *key}, shape.decode)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	item := rows[0].feedbackItem()
	return item, rows[0].Err
}

// createFeedback writes feedback with its links. Given are the episodes that were found for it, by its key.
func (t *transaction) createFeedback(fresh []*store.FeedbackRecord, known *graph.Locked, found map[string]string) error {
	if len(fresh) == 0 {
		return nil
	}
	rows, said, c := make([]cypher.Parameters, len(fresh)), make([]passages.Record, len(fresh)), graph.NewChanges()
	for i, record := range fresh {
		rows[i], said[i] = feedbackProperties(t.TenantID, record), passages.OfFeedback(&record.Feedback)
		c.PlaceFeedback(&record.Feedback, known, found)
		c.Arrive(memory.KindFeedback, record.Feedback.Key)
		c.ArriveOptional(memory.KindSession, record.Feedback.SessionKey)
	}
	values := t.nodes(memory.KindFeedback, rows, said)
	values["notice"] = graph.Noticed(memory.KindFeedback, rows)
	if err := c.Create(t.Transaction, cypher.Named("create_feedback"), values); err != nil {
		return err
	}
	return t.endFeedback(fresh)
}

// endFeedback takes what records replace out of all that counts it, where it is there and was not replaced so far.
func (t *transaction) endFeedback(records []*store.FeedbackRecord) error {
	var rows []cypher.Parameters
	for _, record := range records {
		if record.Replaces != nil {
			rows = append(rows, cypher.Parameters{"key": *record.Replaces, "at": bolt.Instant(record.CreatedAt)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	c := graph.NewChanges()
	err := t.Rows(cypher.Named("end_feedback"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		c.Moves.Feedback(graph.OrNone(f.OptionalText("episode")), "", f.Sum("score"))
	})
	if err != nil {
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
	return graph.Fresh(records, hashes, func(r *store.FeedbackRecord) (string, []byte) { return r.Feedback.Key, r.InputHash })
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
