// Package recording keeps what agents did and how people took it: episodes, logs of runs, canvases, feedback, agents.
package recording

import (
	"context"
	"errors"
	"reflect"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
	"mneme/store"
)

// Episodes is what agents did: recorded, concluded, read again, and what led to what.
type Episodes struct{ t *tenancy.Tenant }

// NewEpisodes are those of a tenant.
func NewEpisodes(t *tenancy.Tenant) *Episodes { return &Episodes{t} }

// RecordEpisode records one episode and answers it as it is now known. The same input with the same id
// again answers the same episode; other content is CONFLICT.
func (g *Episodes) RecordEpisode(ctx context.Context, input boundary.RecordEpisodeInput, include boundary.Include) (*memory.Episode, error) {
	record, err := g.t.Boundary(ctx).Episode(input)
	if err != nil {
		return nil, err
	}
	return g.saveEpisode(ctx, record, include)
}

// RecordEpisodes records a batch in order and reports each item; a faulty one does not keep the others out.
func (g *Episodes) RecordEpisodes(ctx context.Context, input boundary.RecordEpisodesInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, g.t, memory.KindEpisode, "episodes", input.Episodes, (*boundary.Boundary).Episode,
		func(ctx context.Context, t *tenancy.Tenant, records []store.EpisodeRecord) ([]store.Recorded, error) {
			g.enrich(ctx, records)
			return tenancy.Keep(ctx, t, records)
		})
}

// CaptureRun turns the log of a finished run into the episode whose key is the run's id, or adds a part to its log.
func (g *Episodes) CaptureRun(ctx context.Context, input boundary.CaptureRunInput, include boundary.Include) (*memory.Episode, error) {
	if input.Append {
		return g.appendRun(ctx, input, include)
	}
	record, err := g.t.Boundary(ctx).Run(input)
	if err != nil {
		return nil, err
	}
	return g.saveEpisode(ctx, record, include)
}

// ConcludeEpisode sets the outcome of an episode that was recorded before it was known. It can be done once: of an
// episode that has its outcome it answers what there is where that is what is said of it, and else is CONFLICT.
func (g *Episodes) ConcludeEpisode(ctx context.Context, input boundary.ConcludeEpisodeInput, include boundary.Include) (*memory.Episode, error) {
	conclusion, err := g.t.Boundary(ctx).Conclusion(input)
	if err != nil {
		return nil, err
	}
	err = g.conclude(ctx, conclusion)
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return nil, err
	}
	e, wrong := g.oneEpisode(ctx, conclusion.Key, include)
	if wrong == nil && err != nil && !hasEnded(e, &conclusion) {
		return nil, err
	}
	return e, wrong
}

// hasEnded says whether an episode has its outcome, and is what a conclusion says of it.
func hasEnded(e *memory.Episode, as *store.EpisodeConclusion) bool {
	return e.Concluded && e.Outcome == as.Outcome && isSaid(e.Result, as.Result) && isSaid(e.Quality, as.Quality) && isSaid(e.Cost, as.Cost) &&
		(!boundary.HasText(as.Insight) || e.Insight == *as.Insight) &&
		(as.EndedAt == nil || e.EndedAt != nil && e.EndedAt.Equal(*as.EndedAt))
}

// isSaid says whether a value is what is said of it, if anything is.
func isSaid[T comparable](is, said *T) bool { return said == nil || is != nil && *is == *said }

// conclude writes the end of an episode, with the receipt of what was taken out of its texts; anew where somebody added
// to it meanwhile, since models take their time. It is ErrConflict where that has its outcome.
func (g *Episodes) conclude(ctx context.Context, conclusion store.EpisodeConclusion) error {
	for tries := 1; ; tries++ {
		err := g.concludeOnce(ctx, conclusion)
		if !errors.Is(err, errChanged) || tries == settleTries {
			return err
		}
	}
}

var errChanged = errors.New("the episode was changed meanwhile")

func (g *Episodes) concludeOnce(ctx context.Context, conclusion store.EpisodeConclusion) error {
	before, err := g.oneEpisode(ctx, conclusion.Key, boundary.Include{})
	switch {
	case err != nil:
		return err
	case before.Concluded:
		return concludeFault(store.ErrConflict)
	}
	if parts, err := g.concludeParts(ctx, before, &conclusion); parts || err != nil {
		return err
	}
	ended := memory.Episode{Key: before.Key, StartedAt: before.StartedAt, EndedAt: conclusion.EndedAt}
	if err := ended.Check(nil, nil); err != nil {
		return err
	}
	g.completeConclusion(ctx, before, &conclusion)
	err = g.t.Store.ConcludeEpisode(ctx, conclusion)
	if errors.Is(err, store.ErrConflict) {
		err = errors.Join(errChanged, err) // or it was concluded, which is seen the next time
	}
	return concludeFault(err)
}

// completeConclusion adds what follows from a conclusion: the insight and the segment, where those before it were
// written by rule, the vector of the new text and the receipt over all that was said.
func (g *Episodes) completeConclusion(ctx context.Context, before *memory.Episode, conclusion *store.EpisodeConclusion) {
	after := *before
	after.Outcome, after.Concluded = conclusion.Outcome, true
	if conclusion.Result != nil {
		after.Result = conclusion.Result
	}
	if conclusion.EndedAt != nil {
		after.EndedAt = conclusion.EndedAt
	}
	ctx, cancel := context.WithTimeout(ctx, g.t.ModelTime)
	defer cancel()
	switch {
	case boundary.HasText(conclusion.Insight):
		after.Insight = *conclusion.Insight
	case before.Insight == summary.Insight(before):
		after.Insight = summary.Insight(&after)
		g.t.WriteInsights(ctx, &after)
	}
	conclusion.Insight = &after.Insight
	if reflect.DeepEqual(before.Segments, capture.WholeSegment(before)) {
		conclusion.Segments = capture.WholeSegment(&after)
	}
	conclusion.Was = before.Receipt
	g.t.CompleteLater(&after)
}

func concludeFault(err error) error {
	if errors.Is(err, store.ErrConflict) {
		return &memory.Error{
			Code: memory.CodeConflict, Field: "id", Cause: err, Message: "the episode has its outcome already, and another end than this one; it is set once",
		}
	}
	return faults.Of("the episode", err)
}

// saveEpisode writes one record and reads it back with what was linked to it.
func (g *Episodes) saveEpisode(ctx context.Context, record store.EpisodeRecord, include boundary.Include) (*memory.Episode, error) {
	records := []store.EpisodeRecord{record}
	g.enrich(ctx, records)
	recorded, err := tenancy.Keep(ctx, g.t, records)
	if err := faults.Of("the episode", tenancy.ItemOf(recorded, err)); err != nil {
		return nil, err
	}
	return g.oneEpisode(ctx, record.Episode.Key, include)
}

// UnreadEvents says of which events of a log less is read than their sender may think, and why. Each reason is given
// once, with the number of the first event that was sent and how many are like it.
func UnreadEvents(events []boundary.EventInput) []string {
	var notes capture.Notes
	for i, event := range events {
		notes.Add(memory.ValueOr(event.Sequence, i), event.Type, event.Data)
	}
	return memory.Mapped(notes, func(note capture.Note) string { return note.Of("event") })
}

// enrich has the model write insights of records. What it does not give now is completed later.
func (g *Episodes) enrich(ctx context.Context, records []store.EpisodeRecord) {
	episodes := make([]*memory.Episode, len(records))
	for i := range records {
		episodes[i] = &records[i].Episode
	}
	g.t.WriteInsights(ctx, episodes...)
	for _, e := range episodes {
		g.t.CompleteLater(e)
	}
}
