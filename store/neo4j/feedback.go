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
	"mneme/store/neo4j/words"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) cypher.Parameters {
	f := &record.Feedback
	properties := cypher.Parameters{
		"tenant": tenant, "key": f.Key, "type": string(f.Type), "rating": f.Rating, "score": f.Score,
		"corrections": f.Corrections, "comment": f.Comment, "source": string(f.Source), "agentExecutionId": f.AgentExecutionID,
		"createdBy": f.CreatedBy, "createdAt": bolt.Instant(f.CreatedAt), "replaces": f.Replaces, "replacedAt": bolt.OptionalInstant(f.ReplacedAt), "session": f.SessionKey,
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
		SessionKey: f.OptionalText("session"), Replaces: f.OptionalText("replaces"), ReplacedAt: f.OptionalInstant("replacedAt"),
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

// recordFeedback writes feedback, in parts of which none replaces another's or one of its own.
func (t *transaction) recordFeedback(records []store.FeedbackRecord) (recorded []store.Recorded, err error) {
	keys := graph.KeySet{}
	for from, i := 0, 0; err == nil && i < len(records); i++ {
		replaces := records[i].Replaces
		apart := replaces != nil && keys.Has(*replaces)
		if apart {
			recorded, err = t.recordFeedbackPart(recorded, records[from:i])
			from, keys = i, graph.KeySet{}
		}
		keys.Add(records[i].Feedback.Key)
		keys.AddOptional(replaces)
		if err == nil && i == len(records)-1 {
			recorded, err = t.recordFeedbackPart(recorded, records[from:])
		}
	}
	return recorded, err
}

func (t *transaction) recordFeedbackPart(before []store.Recorded, records []store.FeedbackRecord) ([]store.Recorded, error) {
	earlier, err := t.feedbackToReplace(records, false)
	if err != nil {
		return nil, err
	}
	records = slices.Clone(records)
	refused := replaceAll(records, earlier)
	scope := feedbackScope(records)
	for _, item := range earlier {
		scope.Episodes.AddOptional(item.Linked)
	}
	known, err := graph.Lock(t.Transaction, scope)
	if err != nil {
		return nil, err
	}
	if still, err := t.feedbackToReplace(records, true); err != nil || !reflect.DeepEqual(earlier, still) {
		return nil, cmp.Or[error](err, &bolt.Raced{Cause: graph.ErrGone})
	}
	recorded, fresh := freshFeedback(records, known.Hashes)
	for i := range recorded {
		if recorded[i].Created && refused[i] != nil {
			recorded[i] = store.Recorded{Key: recorded[i].Key, Err: refused[i]}
			fresh = slices.DeleteFunc(fresh, func(r *store.FeedbackRecord) bool { return r == &records[i] })
		}
	}
	picked, err := graph.Pick(t.Transaction, sessionTimes(fresh), linking.Pick)
	if err != nil {
		return nil, err
	}
	return append(before, recorded...), t.createFeedback(fresh, known, picked)
}

// replaceAll completes what replaces other feedback, and says of each why it may not.
func replaceAll(records []store.FeedbackRecord, earlier map[string]*store.FeedbackItem) []error {
	refused := make([]error, len(records))
	for i := range records {
		if key := records[i].Replaces; key != nil {
			refused[i] = linking.Replace(&records[i], earlier[*key])
		}
	}
	return refused
}

// feedbackToReplace reads the feedback that records replace, as far as it is there, by key, and locks it where asked to.
func (t *transaction) feedbackToReplace(records []store.FeedbackRecord, lock bool) (map[string]*store.FeedbackItem, error) {
	keys, found := graph.KeySet{}, map[string]*store.FeedbackItem{}
	for i := range records {
		keys.AddOptional(records[i].Replaces)
	}
	if len(keys) == 0 {
		return found, nil
	}
	shape := exportShape{Kind: memory.KindFeedback, Waits: true}
	rows, err := bolt.RowsOf(t.Transaction, cypher.Rendered("replaced_feedback", lock), cypher.Parameters{"keys": keys.Sorted()}, shape.decode)
	for _, row := range rows {
		item := row.feedbackItem()
		err = cmp.Or(err, row.Err)
		found[item.Feedback.Key] = item
	}
	return found, err
}

// createFeedback writes feedback with its links. Given are the episodes that were found for it, by its key.
func (t *transaction) createFeedback(fresh []*store.FeedbackRecord, known *graph.Locked, found map[string]string) error {
	if len(fresh) == 0 {
		return nil
	}
	rows, said, arrived, c := make([]cypher.Parameters, len(fresh)), make([]passages.Record, len(fresh)), graph.Arrivals{}, graph.NewChanges()
	for i, record := range fresh {
		rows[i], said[i] = feedbackProperties(t.TenantID, record), passages.OfFeedback(&record.Feedback)
		c.PlaceFeedback(&record.Feedback, known, found)
		arrived.Add(memory.KindFeedback, record.Feedback.Key)
		arrived.AddOptional(memory.KindSession, record.Feedback.SessionKey)
	}
	values := t.nodes(memory.KindFeedback, rows, said)
	values["notice"] = graph.Noticed(memory.KindFeedback, rows)
	if err := graph.Create(t.Transaction, c, cypher.Named("create_feedback"), values, arrived); err != nil {
		return err
	}
	if err := c.Apply(t.Transaction); err != nil {
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
	c, ended := graph.NewChanges(), []string{}
	err := t.Rows(cypher.Named("end_feedback"), cypher.Parameters{"rows": rows}, func(f *bolt.Fields) {
		ended = append(ended, f.Text("key"))
		c.Moves.Feedback(graph.OrNone(f.OptionalText("episode")), "", f.Sum("score"))
	})
	if err != nil || len(ended) == 0 {
		return err
	}
	if err := c.Apply(t.Transaction); err != nil {
		return err
	}
	return t.reword(memory.KindFeedback, ended)
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
