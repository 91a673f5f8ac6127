package recording

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/summary"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
	"mneme/store"
)

// appendRun adds a part to the log of a run. Its episode comes into being with the first part, and says what the log
// tells once that has its end, or was interrupted, and nothing is missing.
func (g *Episodes) appendRun(ctx context.Context, input boundary.CaptureRunInput, include boundary.Include) (*memory.Episode, error) {
	log, e, err := g.appendPart(ctx, input)
	if err != nil {
		return nil, err
	}
	if log.Whole() && capture.Pauses(log.LastType) && !log.Concluded {
		if err := g.settle(ctx, e.Key, nil, e.Embedding, nil); err != nil {
			return nil, err
		}
	}
	return g.oneEpisode(ctx, e.Key, include)
}

// AppendRun adds a part to the log of a run, whatever its last event says: more of it may follow. What the log tells
// its episode says with SettleRun.
func (g *Episodes) AppendRun(ctx context.Context, input boundary.CaptureRunInput) error {
	input.Append = true
	_, _, err := g.appendPart(ctx, input)
	return err
}

// appendPart answers how much there is of the log then, and the episode as the part opens it.
func (g *Episodes) appendPart(ctx context.Context, input boundary.CaptureRunInput) (store.Log, *memory.Episode, error) {
	record, part, err := g.t.Boundary(ctx).RunPart(input)
	if err != nil {
		return store.Log{}, nil, err
	}
	log, err := g.t.Store.AppendEvents(ctx, part)
	if errors.Is(err, store.ErrNotFound) {
		recorded, faulty := tenancy.Keep(ctx, g.t, []store.EpisodeRecord{record})
		if err := faults.Of("the episode", tenancy.ItemOf(recorded, faulty)); err != nil {
			return log, nil, err
		}
		log, err = g.t.Store.AppendEvents(ctx, part)
	}
	return log, &record.Episode, appendFault(err, part.Events)
}

// appendFault says which event of a part is at fault.
func appendFault(err error, events []store.LoggedEvent) error {
	if taken, ok := errors.AsType[*store.EventConflict](err); ok {
		i := slices.IndexFunc(events, func(e store.LoggedEvent) bool { return e.Sequence == taken.Sequence })
		return &memory.Error{Code: memory.CodeConflict, Field: boundary.At("events", i) + ".sequence", Message: taken.Error(), Cause: err}
	}
	if long, ok := errors.AsType[*store.LogTooLong](err); ok {
		return memory.LimitExceeded("events", "%s; the most are %d events and %d bytes", long, store.MaxLogEvents, store.MaxLogBytes)
	}
	if errors.Is(err, store.ErrLogEnded) {
		return &memory.Error{Code: memory.CodeConflict, Field: "events", Cause: err, Message: "the run is concluded; nothing new is added to its log"}
	}
	return faults.Of("the episode", err)
}

// SettleRun lets the episode of a run whose log came in parts say what the log tells, although that has no end. It
// stays open.
func (g *Episodes) SettleRun(ctx context.Context, id string) error {
	b := g.t.Question(ctx)
	key := b.Key(memory.KindEpisode, "runId", id)
	if b.Err() != nil {
		return b.Err()
	}
	return g.settle(ctx, key, nil, nil, nil)
}

// concludeParts concludes an episode whose log came in parts; parts is false where that is another.
func (g *Episodes) concludeParts(ctx context.Context, e *memory.Episode, end *store.EpisodeConclusion) (parts bool, err error) {
	count, err := store.Count(ctx, g.t.Store, store.EventsOf{Episode: e.Key})
	if err != nil || count == 0 || e.Concluded {
		return false, faults.Of("the episode", err)
	}
	was, err := g.readLog(ctx, e.Key)
	if err != nil || !was.Parts {
		return false, err
	}
	return true, g.settle(ctx, e.Key, was, nil, end)
}

// settleTries is how often a run is settled anew because somebody added to its log meanwhile.
const settleTries = 10

// ErrLogLacks is the cause of a CONFLICT where an episode is to be concluded whose log lacks events.
var ErrLogLacks = errors.New("the log lacks events")

// readLog is an episode with what its whole log tells.
type readLog struct {
	*store.WholeEpisode // without the log
	events              int
	missing             []string
	told                memory.Episode // where nothing is missing
}

// readLog reads the log of a run, one at a time in the process, and keeps only what it tells.
func (g *Episodes) readLog(ctx context.Context, key string) (*readLog, error) {
	if err := g.t.Reading.Acquire(ctx, 1); err != nil {
		return nil, faults.Of("the episode", err)
	}
	defer g.t.Reading.Release(1)
	was, err := store.GetOne[store.WholeEpisode](store.Unmetered(ctx), g.t.Store, key)
	if err != nil || was == nil {
		return nil, g.t.FaultAt(ctx, "id", "the episode", key, cmp.Or(err, store.ErrNotFound))
	}
	log := &readLog{WholeEpisode: was, events: len(was.Events), missing: capture.Missing(was.Events)}
	if len(log.missing) == 0 {
		log.told = capture.EpisodeFromLog(was.Events)
	}
	was.Events = nil
	return log, nil
}

// settle writes what follows from a whole log to its episode: from nothing but the log, what was told of the run, and
// how it is said to have ended, where a person or agent says so. It reads a log that was not, or that grew meanwhile.
func (g *Episodes) settle(ctx context.Context, key string, was *readLog, vector []float32, end *store.EpisodeConclusion) error {
	ctx = store.Unmetered(ctx)
	var err error
	for range settleTries {
		if was == nil {
			if was, err = g.readLog(ctx, key); err != nil {
				return err
			}
		}
		switch {
		case was.Episode.Concluded && end == nil:
			return nil // somebody else did it
		case was.Episode.Concluded:
			return concludeFault(store.ErrConflict)
		}
		amendment, wrong := g.settled(ctx, was, vector, end)
		if wrong != nil {
			return wrong
		}
		if err = g.t.Store.AmendEpisode(ctx, amendment); !errors.Is(err, store.ErrConflict) {
			return faults.Of("the episode", err)
		}
		was = nil
	}
	return &memory.Error{Code: memory.CodeUnavailable, Message: "the log is being added to; try again", Cause: err}
}

func (g *Episodes) settled(ctx context.Context, was *readLog, vector []float32, end *store.EpisodeConclusion) (store.EpisodeAmendment, error) {
	none := store.EpisodeAmendment{}
	if len(was.missing) > 0 {
		return none, &memory.Error{
			Code: memory.CodeConflict, Field: "id", Cause: ErrLogLacks,
			Message: "the log of the run lacks the events " + strings.Join(was.missing, ", ") + "; append them first",
		}
	}
	log, e := was.told, *was.Episode
	var insight *string // what a rule wrote of the open episode is written anew
	if e.Insight != summary.Insight(was.Episode) {
		insight = &e.Insight
	}
	e.Title, e.Observation, e.Thoughts, e.Actions, e.Segments, e.Result = log.Title, log.Observation, log.Thoughts, log.Actions, log.Segments, log.Result
	e.StartedAt, e.EndedAt, e.Outcome, e.Concluded = log.StartedAt, log.EndedAt, log.Outcome, log.Concluded
	if end != nil {
		insight = cmp.Or(end.Insight, insight)
		e.Outcome, e.Concluded = end.Outcome, true
		e.Result, e.Quality, e.EndedAt = cmp.Or(end.Result, e.Result), cmp.Or(end.Quality, e.Quality), cmp.Or(end.EndedAt, e.EndedAt)
		e.Cost, e.Receipt = cmp.Or(end.Cost, e.Cost), e.Receipt.Plus(end.Receipt)
	}
	if err := e.Check(nil, nil); err != nil {
		return none, err
	}
	boundary.FillIn(&e, nil, insight)
	e.Embedding = vector
	records := []store.EpisodeRecord{{Episode: e}}
	g.enrich(ctx, records)
	return store.EpisodeAmendment{
		Episode: records[0].Episode, InputHash: was.InputHash, WasHash: was.InputHash, WasConcluded: false, Logged: was.events,
	}, nil
}
