package linking

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RecordFeedback writes feedback in order and links it; see store.FeedbackRecord. What replaces another, which may be
// of the same batch, is written apart from the rest.
func RecordFeedback(tx Tx, records []store.FeedbackRecord) ([]store.Recorded, error) {
	all := make([]store.Recorded, 0, len(records))
	for len(records) > 0 {
		part := slices.IndexFunc(records, func(r store.FeedbackRecord) bool { return r.Replaces != nil })
		if part < 0 {
			part = len(records)
		}
		part = max(1, part)
		recorded, err := recordFeedback(tx, slices.Clone(records[:part]))
		if err != nil {
			return nil, err
		}
		all, records = append(all, recorded...), records[part:]
	}
	return all, nil
}

// recordFeedback writes feedback that replaces none, or one that does.
func recordFeedback(tx Tx, records []store.FeedbackRecord) ([]store.Recorded, error) {
	var refused error
	if replaced := records[0].Replaces; replaced != nil {
		earlier, err := tx.FeedbackItem(*replaced)
		if err != nil {
			return nil, err
		}
		refused = Replace(&records[0], earlier)
	}
	known, err := tx.Lock(feedbackScope(records))
	if err != nil {
		return nil, err
	}
	recorded, created := Fresh(known.Hashes, records, feedbackInput)
	if refused != nil && recorded[0].Created {
		return []store.Recorded{{Key: recorded[0].Key, Err: refused}}, nil
	}
	times := map[string]SessionTime{}
	for _, record := range created {
		f := &record.Feedback
		if by := Feedback(f); by.Kind == Session && by.Waits() {
			times[f.Key] = SessionTime{Session: by.Key, Kind: memory.KindFeedback, At: f.CreatedAt, Users: UsersFor(memory.OrZero(f.UserID))}
		}
	}
	picked, err := pickAll(tx, times, Pick)
	if err != nil {
		return nil, err
	}
	found := map[string]*string{}
	for key, episode := range picked {
		found[key] = &episode.Key
	}
	return recorded, createFeedback(tx, created, known, found)
}

func feedbackInput(r *store.FeedbackRecord) (key string, hash []byte) {
	return r.Feedback.Key, r.InputHash
}

// feedbackScope is what feedback may be linked to.
func feedbackScope(records []store.FeedbackRecord) Scope {
	s := NewScope()
	for i := range records {
		f := &records[i].Feedback
		s.Sessions.AddOptional(f.SessionKey)
		s.Canvases.AddOptional(f.CanvasKey)
		s.Episodes.AddOptional(f.EpisodeKey)
		if by := Feedback(f); by.Kind == Execution {
			s.Executions.Add(by.Key)
		}
		s.NewFeedback = append(s.NewFeedback, f.Key)
	}
	return s
}

// createFeedback writes feedback with its links, and ends what it replaces. found are the episodes for it, by its key.
func createFeedback(tx Tx, records []*store.FeedbackRecord, known *Known, found map[string]*string) error {
	if len(records) == 0 {
		return nil
	}
	c, ends := NewChanges(), map[string]time.Time{}
	for _, record := range records {
		f := &record.Feedback
		c.placeFeedback(f, known, found)
		c.Arrive(memory.KindFeedback, f.Key)
		c.ArriveOptional(memory.KindSession, f.SessionKey)
		if f.Replaces != nil {
			ends[*f.Replaces] = f.CreatedAt
		}
	}
	waiting, err := tx.CreateFeedback(records, c.Created())
	if err != nil {
		return err
	}
	if len(ends) > 0 {
		ended, err := tx.EndFeedback(ends)
		if err != nil {
			return err
		}
		for _, r := range ended {
			c.Moves.Feedback(memory.OrZero(r.Episode), "", r.Score)
		}
	}
	c.LinkNamed(waiting...)
	return tx.Apply(c)
}

// RestoreFeedback writes feedback as it was linked, or lets it wait again.
func RestoreFeedback(tx Tx, items []*store.FeedbackItem) ([]store.Recorded, error) {
	records := make([]store.FeedbackRecord, len(items))
	for i, item := range items {
		records[i] = item.FeedbackRecord
	}
	scope := feedbackScope(records)
	for _, item := range items {
		scope.Episodes.AddOptional(item.Linked)
	}
	known, err := tx.Lock(scope)
	if err != nil {
		return nil, err
	}
	linked := map[string]*string{}
	for _, item := range items {
		if item.Linked != nil && known.Episodes.Has(*item.Linked) {
			linked[item.Feedback.Key] = item.Linked
		}
	}
	recorded, created := Fresh(known.Hashes, records, feedbackInput)
	return recorded, createFeedback(tx, created, known, linked)
}
