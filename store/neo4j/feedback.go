package neo4j

import (
	"cmp"
	"context"
	"encoding/base64"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) parameters {
	f := &record.Feedback
	properties := parameters{
		"tenant": tenant, "key": f.Key, "type": string(f.Type), "rating": f.Rating, "score": f.Score,
		"corrections": f.Corrections, "comment": f.Comment, "source": string(f.Source), "agentExecutionId": f.AgentExecutionID,
		"createdBy": f.CreatedBy, "createdAt": instant(f.CreatedAt), "session": f.SessionKey,
		"way": string(linking.Feedback(f).Kind), "namedCanvas": f.CanvasKey, "inputHash": hashText(record.InputHash),
	}
	giveWords(memory.KindFeedback, properties)
	encodeReceipt(properties, f.Receipt)
	return properties
}

func (f *fields) feedback() *memory.Feedback {
	feedback := &memory.Feedback{
		Key: f.key(memory.KindFeedback), EpisodeKey: f.optionalText("episode"), CanvasKey: f.optionalText("canvas"),
		SessionKey: f.optionalText("session"),
		Reaction: memory.Reaction{
			Type: word[memory.FeedbackType](f, "type"), Rating: f.optionalInteger("rating"), Score: f.number("score"),
			Corrections: f.optionalText("corrections"), Comment: f.optionalText("comment"), Source: word[memory.FeedbackSource](f, "source"),
			AgentExecutionID: f.optionalText("agentExecutionId"), CreatedBy: f.optionalText("createdBy"), CreatedAt: f.instant("createdAt"),
		},
		Receipt: f.receipt(),
	}
	f.check("rating", feedback.Check())
	return feedback
}

// Feedback reads known feedback; see store.FeedbackStore.
func (s *tenantStore) Feedback(ctx context.Context, keys []string) ([]*memory.Feedback, error) {
	return readByKey(ctx, s, named("feedback"), keys, decodeFeedback, func(f *memory.Feedback) string { return f.Key })
}

func decodeFeedback(row *neo4j.Record) (*memory.Feedback, error) {
	node, err := column[neo4j.Node]("f")(row)
	if err != nil {
		return nil, err
	}
	f := &fields{node: node}
	return f.feedback(), f.err
}

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, count bool) query {
	owners, form := setOf(of.Canvases...), ownedList{Owner: "canvas", After: of.Page.After != nil, Count: count}
	if of.Episode != nil {
		owners, form.Owner = setOf(*of.Episode), "episode"
	}
	return s.query(rendered("list_feedback", form), ownedParameters(owners.sorted(), of.Page))
}

// ListFeedback reads a page of an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) ListFeedback(ctx context.Context, of store.FeedbackOf) ([]*memory.Feedback, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Feedback, error) {
		of.Page = p
		return read(ctx, s.backend, s.feedbackQuery(of, false), decodeFeedback)
	}
	return pageInBytes(ctx, of.Page, list, func(f *memory.Feedback) store.Position {
		return store.Position{At: f.CreatedAt, Key: f.Key}
	})
}

// CountFeedback counts an owner's feedback; see store.FeedbackStore.
func (s *tenantStore) CountFeedback(ctx context.Context, of store.FeedbackOf) (int, error) {
	of.Page = store.Page{}
	return s.count(ctx, s.feedbackQuery(of, true))
}

// RecordFeedback writes feedback and links it; see store.FeedbackStore.
func (s *tenantStore) RecordFeedback(ctx context.Context, records []store.FeedbackRecord) ([]store.Recorded, error) {
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return s.feedback.record(ctx, records)
}

func (t *transaction) recordFeedback(records []store.FeedbackRecord) ([]store.Recorded, error) {
	known, err := t.lock(feedbackScope(records))
	if err != nil {
		return nil, err
	}
	recorded, fresh := freshFeedback(records, known.hashes)
	picked, err := t.pick(sessionTimes(fresh), linking.Pick)
	if err != nil {
		return nil, err
	}
	return recorded, t.createFeedback(fresh, known, picked)
}

// createFeedback writes feedback with its links. Given are the episodes that were found for it, by its key.
func (t *transaction) createFeedback(fresh []*store.FeedbackRecord, known *locked, found map[string]string) error {
	if len(fresh) == 0 {
		return nil
	}
	rows, arrived, c := make([]parameters, len(fresh)), arrivals{}, newChanges()
	for i, record := range fresh {
		rows[i] = feedbackProperties(t.tenant, record)
		c.placeFeedback(&record.Feedback, known, found)
		arrived.add(memory.KindFeedback, record.Feedback.Key)
		arrived.addOptional(memory.KindSession, record.Feedback.SessionKey)
	}
	if err := t.create(c, named("create_feedback"), parameters{"rows": rows}, arrived); err != nil {
		return err
	}
	return c.apply(t)
}

// feedbackScope is what feedback may be linked to.
func feedbackScope(records []store.FeedbackRecord) scope {
	s := newScope()
	for i := range records {
		f := &records[i].Feedback
		s.sessions.addOptional(f.SessionKey)
		s.canvases.addOptional(f.CanvasKey)
		s.episodes.addOptional(f.EpisodeKey)
		if by := linking.Feedback(f); by.Kind == linking.Execution {
			s.executions.add(by.Key)
		}
		s.newFeedback = append(s.newFeedback, f.Key)
	}
	return s
}

// freshFeedback tells those that are to be written from those that are there already.
func freshFeedback(records []store.FeedbackRecord, hashes map[string]string) ([]store.Recorded, []*store.FeedbackRecord) {
	recorded := make([]store.Recorded, len(records))
	var fresh []*store.FeedbackRecord
	for i := range records {
		key := records[i].Feedback.Key
		recorded[i] = compare(hashes, key, records[i].InputHash, &records[i].Former)
		if recorded[i].Created {
			fresh = append(fresh, &records[i])
		}
	}
	return recorded, fresh
}

// compare says what becomes of a record with a key, and notes its hash where it is new.
func compare(hashes map[string]string, key string, inputHash []byte, former *store.Former) store.Recorded {
	switch known, found := hashes[key]; {
	case !found:
		hashes[key] = hashText(inputHash)
		return store.Recorded{Key: key, Created: true}
	case !sameInput(known, inputHash, former):
		return store.Recorded{Key: key, Err: store.ErrConflict}
	}
	return store.Recorded{Key: key}
}

// sameInput is store.SameInput for a hash as it is kept.
func sameInput(kept string, inputHash []byte, former *store.Former) bool {
	recorded, err := base64.RawStdEncoding.DecodeString(kept)
	return err == nil && store.SameInput(recorded, inputHash, former)
}

// sessionTimes are the times of feedback that names a session only, by its key.
func sessionTimes(records []*store.FeedbackRecord) map[string]sessionTime {
	times := map[string]sessionTime{}
	for _, record := range records {
		f := &record.Feedback
		if by := linking.Feedback(f); by.Kind == linking.Session {
			times[f.Key] = sessionTime{session: by.Key, at: f.CreatedAt}
		}
	}
	return times
}

// placeFeedback links new feedback to the episode that was found for it, else by what it names first, or
// lets it wait for that.
func (c *changes) placeFeedback(f *memory.Feedback, known *locked, found map[string]string) {
	by := linking.Feedback(f)
	episode := cmp.Or(lookUp(found, f.Key), known.leadTo(by))
	switch {
	case episode != nil:
		c.linkFeedback(reaction{key: f.Key, score: f.Score}, episode)
	case by.Waits():
		c.wait(labelFeedback, f.Key, by)
	}
	if f.CanvasKey == nil {
		return
	}
	if known.canvases[*f.CanvasKey] != nil {
		c.putOnCanvas(f.Key, *f.CanvasKey)
	} else {
		c.wait(labelFeedback, f.Key, linking.Awaited{Kind: memory.KindCanvas, Key: *f.CanvasKey})
	}
}

// leadTo is the episode that a record is led to by what it names, nil where that is not there.
func (l *locked) leadTo(by linking.Awaited) *string {
	switch by.Kind {
	case memory.KindEpisode:
		if l.episodes.has(by.Key) {
			return &by.Key
		}
	case linking.Execution:
		return lookUp(l.executions, by.Key)
	case memory.KindCanvas:
		if canvas := l.canvases[by.Key]; canvas != nil {
			return canvas.EpisodeKey
		}
	}
	return nil
}

// lookUp gives a value of a map, nil where there is none.
func lookUp(values map[string]string, key string) *string {
	if value, found := values[key]; found {
		return &value
	}
	return nil
}
