package storetest

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// answers reads everything in every way there is, and gives the global ids of the records that came by a list or
// by their key.
func (m *tenant) answers(ctx context.Context, ids []string) map[string]bool {
	m.t.Helper()
	a := &answers{tenant: m, ctx: ctx, keys: map[memory.Kind][]string{}, got: map[string]bool{}}
	for _, id := range ids {
		if kind, key, ok := memory.SplitID(id); ok {
			a.keys[kind] = append(a.keys[kind], key)
		}
	}
	a.actors()
	a.episodes()
	a.shown()
	a.known()
	a.learned()
	a.judged()
	return a.got
}

type answers struct {
	*tenant
	ctx  context.Context // lives as long as one call, whose context it is
	keys map[memory.Kind][]string
	got  map[string]bool
}

// came notes records that were answered; nil is none.
func came[T interface {
	comparable
	memory.Node
}](a *answers, records []T, err error) []T {
	a.t.Helper()
	a.NoError(err)
	var none T
	found := slices.DeleteFunc(slices.Clone(records), func(record T) bool { return record == none })
	for _, record := range found {
		a.got[record.ID()] = true
	}
	return found
}

// byKey reads the records of a kind by their keys.
func byKey[T any](a *answers, kind memory.Kind) {
	a.t.Helper()
	records, err := store.Get[T](a.ctx, a, a.keys[kind])
	a.NoError(err)
	for _, record := range records {
		if record != nil {
			a.got[memory.NodeID(kind, store.KeyOf(record))] = true
		}
	}
}

// paged walks a list in pages of three, which must hold each record once.
func paged[T interface {
	comparable
	memory.Node
}](a *answers, position func(T) store.Position, list func(store.Page) ([]T, bool, error)) {
	a.t.Helper()
	seen, page := map[string]bool{}, store.Page{Limit: 3}
	for more := true; more; {
		var records []T
		var err error
		records, more, err = list(page)
		a.NoError(err)
		if more {
			a.Len(records, page.Limit, "a page is full as long as others follow")
		}
		for _, record := range records {
			a.False(seen[record.ID()], "%s comes once", record.ID())
			seen[record.ID()], a.got[record.ID()] = true, true
		}
		if len(records) > 0 {
			after := position(records[len(records)-1])
			page.After = &after
		}
	}
}

func (a *answers) actors() {
	byKey[memory.Agent](a, memory.KindAgent)
	paged(a, func(x *memory.Agent) store.Position { return store.Position{Key: x.Key} }, func(page store.Page) ([]*memory.Agent, bool, error) {
		return store.List(a.ctx, a, store.AllAgents{}, page)
	})
	a.NoError(errorOf(store.All(a.ctx, a, store.TaskTypesOf{Agents: a.keys[memory.KindAgent]})))
	a.NoError(errorOf(store.Get[memory.Session](a.ctx, a, []string{"s", "late"})))
}

func (a *answers) episodes() {
	keys := a.keys[memory.KindEpisode]
	const all = store.WithAgent | store.WithCanvases | store.WithFeedback
	then := at(1000)
	episodes, err := a.Episodes(a.ctx, store.EpisodesByKey{Keys: keys, Parts: all})
	came(a, episodes, err)
	a.NoError(errorOf(a.Episodes(a.ctx, store.EpisodesByKey{Keys: keys, Parts: all, AsOf: &then})))
	for _, key := range keys {
		a.NoError(errorOf(a.Episodes(a.ctx, store.EpisodesByKey{Keys: []string{key}, Parts: all})))
	}
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
		position := func(e *memory.Episode) store.Position {
			p := store.Position{At: e.StartedAt, Key: e.Key}
			if order == memory.BestFeedbackFirst {
				p.Value = e.AggregateFeedbackScore()
			}
			return p
		}
		paged(a, position, func(page store.Page) ([]*memory.Episode, bool, error) {
			return store.List(a.ctx, a, store.EpisodeQuery{Order: order, Parts: all}, page)
		})
	}
	for _, link := range []memory.EpisodeLink{memory.LinkCausedBy, memory.LinkCauses, memory.LinkInformedBy, memory.LinkInformed, memory.LinkPrevious, memory.LinkNext} {
		a.NoError(errorOf(a.Linked(a.ctx, store.LinkedQuery{Episodes: keys, Link: link})))
	}
	for _, key := range keys {
		_, _, err := logOf(a.ctx, a, key, store.Page{Limit: 100})
		a.NoError(err)
	}
	among := store.Among{Kinds: memory.Kinds, Limit: 20, ToRank: true}
	found, _, err := a.PassagesByWords(a.ctx, []string{"walru", "second"}, among)
	a.NoError(err)
	_, _, err = a.PassagesByMeaning(a.ctx, store.Question{Embedding: []float32{1, 0, 0}}, among)
	a.NoError(err)
	a.NoError(errorOf(a.PassagesBeside(a.ctx, found, 1, store.UserFilter{})))
	var steps store.TrajectoriesOf
	for _, key := range keys {
		steps = append(steps, store.TrajectoryOf{Episode: key, Results: []int{0, 1}})
	}
	a.NoError(errorOf(store.All(a.ctx, a, steps)))
	_, _, err = a.NewestAndBoosted(a.ctx, among)
	a.NoError(err)
}

func (a *answers) shown() {
	byKey[memory.Canvas](a, memory.KindCanvas)
	byKey[memory.Feedback](a, memory.KindFeedback)
	for _, episode := range a.keys[memory.KindEpisode] {
		paged(a, func(c *memory.Canvas) store.Position { return store.Position{At: c.CreatedAt(), Key: c.Key} }, func(page store.Page) ([]*memory.Canvas, bool, error) {
			return store.List(a.ctx, a, store.CanvasesOf{Episode: &episode}, page)
		})
		paged(a, func(f *memory.Feedback) store.Position { return store.Position{At: f.CreatedAt, Key: f.Key} }, func(page store.Page) ([]*memory.Feedback, bool, error) {
			return store.List(a.ctx, a, store.FeedbackOf{Episode: &episode}, page)
		})
	}
	a.NoError(errorOf(store.Count(a.ctx, a, store.SpansOf{Trace: "later trace"})))
	a.NoError(errorOf(heldSpans(a.ctx, a, "later trace", store.TraceRoom{Spans: 10, Bytes: 1 << 20})))
	a.NoError(errorOf(tracesDue(a.ctx, a, store.DueTraces{EndedBefore: at(1000), SilentBefore: at(1000), SetBack: at(1000)}, 10)))
}

func (a *answers) known() {
	byKey[memory.Memoir](a, memory.KindMemoir)
	byKey[memory.Concept](a, memory.KindConcept)
	byKey[memory.Observation](a, memory.KindObservation)
	byKey[memory.Correction](a, memory.KindCorrection)
	paged(a, func(m *memory.Memoir) store.Position { return store.Position{Key: m.Name} }, func(page store.Page) ([]*memory.Memoir, bool, error) {
		return store.List(a.ctx, a, store.MemoirsOf{}, page)
	})
	paged(a, func(c *memory.Concept) store.Position { return store.Position{Key: c.Name} }, func(page store.Page) ([]*memory.Concept, bool, error) {
		return store.List(a.ctx, a, store.ConceptsOf{Memoir: "m"}, page)
	})
	query := store.ObservationQuery{Policy: decay.UseFades, Now: at(1000), Order: memory.LatestFirst}
	paged(a, func(o *memory.Observation) store.Position { return store.Position{At: o.CreatedAt, Key: o.Key} }, func(page store.Page) ([]*memory.Observation, bool, error) {
		return store.List(a.ctx, a, query, page)
	})
	query.Order = memory.HeaviestFirst
	_, _, err := store.List(a.ctx, a, query, store.Page{Limit: 10})
	a.NoError(err)
	paged(a, func(c *memory.Correction) store.Position { return store.Position{At: c.CreatedAt, Key: c.Key} }, func(page store.Page) ([]*memory.Correction, bool, error) {
		return store.List(a.ctx, a, store.CorrectionsOf{}, page)
	})
	a.NoError(errorOf(a.Relations(a.ctx, store.RelationsOf{Concepts: a.keys[memory.KindConcept], Direction: memory.DirectionBoth})))
	a.NoError(errorOf(a.Mentioned(a.ctx, a.keys[memory.KindEpisode])))
	a.NoError(errorOf(a.CorrectionStats(a.ctx, nil)))
	a.NoError(errorOf(a.Neighbours(a.ctx, store.AdjacencyQuery{Of: []string{"concept:p", "episode:full"}, Direction: memory.DirectionBoth, Limit: 20})))
}

func (a *answers) learned() {
	byKey[memory.Execution](a, memory.KindExecution)
	profiles, err := store.All(a.ctx, a, store.ProfilesOf{})
	came(a, profiles, err)
	then := at(3)
	a.NoError(errorOf(store.All(a.ctx, a, store.ProfilesOf{AsOf: &then})))
	a.NoError(errorOf(store.All(a.ctx, a, store.AgentRecordsOf{})))
	a.NoError(errorOf(store.All(a.ctx, a, store.AgentRecordsOf{AsOf: &then})))
	a.NoError(errorOfPage(store.List(a.ctx, a, store.OutcomesOf{}, store.Page{Limit: 2})))
	a.NoError(errorOf(a.Names(a.ctx, store.TaskTypes)))
}

func (a *answers) judged() {
	byKey[memory.Run](a, memory.KindRun)
	byKey[memory.Verdict](a, memory.KindVerdict)
	byKey[memory.Pattern](a, memory.KindPattern)
	paged(a, func(r *memory.Run) store.Position { return store.Position{At: r.StartedAt, Key: r.Key} }, func(page store.Page) ([]*memory.Run, bool, error) {
		return store.List(a.ctx, a, store.AllRuns{}, page)
	})
	paged(a, func(v *memory.Verdict) store.Position { return store.Position{At: v.At, Key: v.Key} }, func(page store.Page) ([]*memory.Verdict, bool, error) {
		return store.List(a.ctx, a, store.VerdictQuery{}, page)
	})
	a.NoError(errorOf(store.All(a.ctx, a, store.SectionsOf{Runs: a.keys[memory.KindRun]})))
	a.NoError(errorOf(a.Names(a.ctx, store.Judges)))
	a.NoError(errorOfPage(store.List(a.ctx, a, store.JudgementQuery{}, store.Page{Limit: 3})))
	_, _, err := store.List(a.ctx, a, store.PatternQuery{}, store.Page{Limit: 3})
	a.NoError(err)
}
