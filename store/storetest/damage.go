package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// Fill records something of every kind in a tenant, in every state that a record can be in.
func Fill(t *testing.T, backend store.Backend, id string) {
	t.Helper()
	m := bind(t, backend, id)
	m.fill()
	m.NoError(m.DeleteFeedback(m.ctx(), "is older"))
	m.mustBeWhole(backend, id)
}

// CheckDamage spoils something that a filled tenant has stored, and sees that it takes nothing else along: reads
// and an export answer the others, the examination finds what cannot be read, mending removes it, and then all is
// well. It says what could not be read.
func CheckDamage(t *testing.T, backend store.Backend, id string, spoil func()) []string {
	t.Helper()
	m := bind(t, backend, id)
	before := m.ids(m.exported())
	spoil()

	var damage store.Damage
	ctx := store.WithDamage(t.Context(), damage.Note)
	answered := m.answers(ctx, before)
	kept := m.ids(m.exportedWithin(ctx))
	damaged := idsOf(damage.Found())
	for _, of := range before {
		assert.True(t, slices.Contains(kept, of) || slices.Contains(damaged, of), "the export has %s, or tells that it has not", of)
		_, _, isRecord := memory.SplitID(of)
		assert.True(t, !isRecord || answered[of] || slices.Contains(damaged, of) || ofProfile(damaged, of), "reads have %s, or tell that they have not", of)
	}

	faults := m.faults(backend, id)
	if len(damaged) > 0 {
		require.NotEmpty(t, faults, "the examination finds what cannot be read: %v", damaged)
	}
	for round := 0; round < 3 && len(faults) > 0; round++ {
		for _, f := range faults {
			require.NotNil(t, f.Mend, "%s: %s", f.Part, f.Fault)
			require.NoError(t, f.Mend(t.Context()), "%s: %s", f.Part, f.Fault)
		}
		faults = m.faults(backend, id)
	}
	m.mustBeWhole(backend, id)
	var left store.Damage
	ctx = store.WithDamage(t.Context(), left.Note)
	m.answers(ctx, before)
	m.exportedWithin(ctx)
	assert.Empty(t, idsOf(left.Found()), "what is mended can be read")
	return damaged
}

// CheckForgettingDamage spoils something of a filled tenant, and then forgets its agents.
func CheckForgettingDamage(t *testing.T, backend store.Backend, id string, spoil func()) {
	t.Helper()
	m := bind(t, backend, id)
	spoil()
	for _, agent := range []string{"ada", "agent", "idle", "worker"} {
		_, err := m.DeleteAgent(t.Context(), agent)
		require.NoError(t, err, agent)
	}
	kinds := map[string]bool{}
	for _, of := range m.ids(m.exportedWithin(t.Context())) {
		kind, _, _ := strings.Cut(of, ":")
		kinds[kind] = true
	}
	for _, kind := range []memory.Kind{memory.KindAgent, memory.KindEpisode, memory.KindExecution} {
		assert.False(t, kinds[string(kind)], "something of kind %s is left", kind)
	}
}

// ofProfile says whether an execution is in a window that cannot be read.
func ofProfile(damaged []string, id string) bool {
	return strings.HasPrefix(id, "execution:") && slices.ContainsFunc(damaged, func(d string) bool { return strings.HasPrefix(d, "learningProfile:") })
}

func idsOf(damage []*store.Damaged) []string {
	found := make([]string, len(damage))
	for i, d := range damage {
		found[i] = d.ID()
	}
	return found
}

// ids are those of items, also of those that are no records.
func (m *tenant) ids(items []store.Item) []string {
	found := []string{}
	for _, item := range items {
		switch i := item.(type) {
		case *store.RelationItem:
			found = append(found, memory.NodeID(store.KindRelation, memory.JoinKey(string(i.Type), i.SourceKey, i.TargetKey)))
		case *store.SpanItem:
			found = append(found, memory.NodeID(store.KindSpan, memory.JoinKey(i.Trace, i.Span.ID)))
		default:
			if id := item.ID(); id != "" {
				found = append(found, id)
			}
		}
	}
	return found
}

func (m *tenant) exportedWithin(ctx context.Context) (items []store.Item) {
	m.t.Helper()
	m.NoError(m.Export(ctx, func(item store.Item) error {
		items = append(items, item)
		return nil
	}))
	return items
}

// faults are what an examination finds in the tenant.
func (m *tenant) faults(backend store.Backend, id string) (faults []store.Finding) {
	m.t.Helper()
	findings, err := backend.Examine(m.ctx())
	m.NoError(err)
	for _, f := range findings {
		if f.Tenant == id && f.Fault != "" {
			faults = append(faults, f)
		}
	}
	return faults
}

func (m *tenant) mustBeWhole(backend store.Backend, id string) {
	m.t.Helper()
	for _, f := range m.faults(backend, id) {
		m.Fail("a fault", "%s: %s", f.Part, f.Fault)
	}
}

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
	ctx  context.Context //nolint:containedctx // lives as long as one call, whose context it is
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
	agents, err := a.Agents(a.ctx, a.keys[memory.KindAgent])
	came(a, agents, err)
	paged(a, func(x *memory.Agent) store.Position { return store.Position{Key: x.Key} }, func(page store.Page) ([]*memory.Agent, bool, error) {
		return a.ListAgents(a.ctx, page)
	})
	a.NoError(errorOf(a.TaskTypes(a.ctx, a.keys[memory.KindAgent])))
	a.NoError(errorOf(a.Sessions(a.ctx, []string{"s", "late"})))
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
	for _, order := range []store.EpisodeOrder{store.NewestFirst, store.OldestFirst, store.BestFeedbackFirst} {
		position := func(e *memory.Episode) store.Position {
			p := store.Position{At: e.StartedAt, Key: e.Key}
			if order == store.BestFeedbackFirst {
				p.Value = e.AggregateFeedbackScore()
			}
			return p
		}
		paged(a, position, func(page store.Page) ([]*memory.Episode, bool, error) {
			return a.ListEpisodes(a.ctx, store.EpisodeQuery{Order: order, Parts: all, Page: page})
		})
	}
	for _, link := range []store.EpisodeLink{store.LinkCausedBy, store.LinkCauses, store.LinkPrevious, store.LinkNext} {
		a.NoError(errorOf(a.Linked(a.ctx, store.LinkedQuery{Episodes: keys, Link: link})))
	}
	for _, key := range keys {
		_, _, err := a.Events(a.ctx, key, store.Page{Limit: 100})
		a.NoError(err)
	}
	for _, text := range []string{"walrus", "nothing of the sort"} {
		a.NoError(errorOf(a.Candidates(a.ctx, store.RecallQuery{Text: text, Embedding: []float32{1, 0, 0}, Limit: 20})))
	}
	a.NoError(errorOf(a.Search(a.ctx, store.SearchQuery{Text: "walrus topic second", Kinds: memory.Kinds, Limit: 20})))
	a.NoError(errorOf(a.Search(a.ctx, store.SearchQuery{Text: "walrus second", Kinds: []memory.Kind{memory.KindConcept}, Labels: []string{"a"}, Limit: 20})))
}

func (a *answers) shown() {
	canvases, err := a.Canvases(a.ctx, a.keys[memory.KindCanvas])
	came(a, canvases, err)
	feedback, err := a.Feedback(a.ctx, a.keys[memory.KindFeedback])
	came(a, feedback, err)
	for _, episode := range a.keys[memory.KindEpisode] {
		paged(a, func(c *memory.Canvas) store.Position { return store.Position{At: c.CreatedAt(), Key: c.Key} }, func(page store.Page) ([]*memory.Canvas, bool, error) {
			return a.ListCanvases(a.ctx, store.CanvasesOf{Episode: &episode, Page: page})
		})
		paged(a, func(f *memory.Feedback) store.Position { return store.Position{At: f.CreatedAt, Key: f.Key} }, func(page store.Page) ([]*memory.Feedback, bool, error) {
			return a.ListFeedback(a.ctx, store.FeedbackOf{Episode: &episode, Page: page})
		})
	}
	a.NoError(errorOf(a.HeldSpans(a.ctx, "later trace", store.TraceRoom{Spans: 10, Bytes: 1 << 20})))
	a.NoError(errorOf(a.DueTraces(a.ctx, store.DueTraces{EndedBefore: at(1000), SilentBefore: at(1000), Limit: 10})))
}

func (a *answers) known() {
	memoirs, err := a.Memoirs(a.ctx, a.keys[memory.KindMemoir])
	came(a, memoirs, err)
	concepts, err := a.Concepts(a.ctx, a.keys[memory.KindConcept])
	came(a, concepts, err)
	observations, err := a.Observations(a.ctx, a.keys[memory.KindObservation])
	came(a, observations, err)
	corrections, err := a.Corrections(a.ctx, a.keys[memory.KindCorrection])
	came(a, corrections, err)
	paged(a, func(m *memory.Memoir) store.Position { return store.Position{Key: m.Name} }, func(page store.Page) ([]*memory.Memoir, bool, error) {
		return a.ListMemoirs(a.ctx, page)
	})
	paged(a, func(c *memory.Concept) store.Position { return store.Position{Key: c.Name} }, func(page store.Page) ([]*memory.Concept, bool, error) {
		return a.ListConcepts(a.ctx, "m", page)
	})
	query := store.ObservationQuery{Policy: memory.DecayUseFades, Now: at(1000), Order: store.LatestFirst}
	paged(a, func(o *memory.Observation) store.Position { return store.Position{At: o.CreatedAt, Key: o.Key} }, func(page store.Page) ([]*memory.Observation, bool, error) {
		query.Page = page
		return a.ListObservations(a.ctx, query)
	})
	query.Order, query.Page = store.HeaviestFirst, store.Page{Limit: 10}
	_, _, err = a.ListObservations(a.ctx, query)
	a.NoError(err)
	paged(a, func(c *memory.Correction) store.Position { return store.Position{At: c.CreatedAt, Key: c.Key} }, func(page store.Page) ([]*memory.Correction, bool, error) {
		return a.ListCorrections(a.ctx, nil, page)
	})
	a.NoError(errorOf(a.Relations(a.ctx, store.RelationsOf{Concepts: a.keys[memory.KindConcept], Direction: store.Both})))
	a.NoError(errorOf(a.Mentioned(a.ctx, a.keys[memory.KindEpisode])))
	a.NoError(errorOf(a.CorrectionStats(a.ctx, nil)))
	a.NoError(errorOf(a.SessionNeighbours(a.ctx, a.keys[memory.KindObservation])))
	a.NoError(errorOf(a.Neighbours(a.ctx, store.AdjacencyQuery{Of: []string{"concept:p", "episode:full"}, Direction: store.Both, Limit: 20})))
}

func (a *answers) learned() {
	executions, err := a.Executions(a.ctx, a.keys[memory.KindExecution])
	came(a, executions, err)
	profiles, err := a.Profiles(a.ctx, store.ProfileFilter{})
	came(a, profiles, err)
	then := at(3)
	a.NoError(errorOf(a.Profiles(a.ctx, store.ProfileFilter{AsOf: &then})))
	a.NoError(errorOf(a.AgentRecords(a.ctx, store.AgentRecordsOf{})))
	a.NoError(errorOf(a.AgentRecords(a.ctx, store.AgentRecordsOf{AsOf: &then})))
	_, _, err = a.EpisodeOutcomes(a.ctx, store.OutcomesOf{Page: store.Page{Limit: 2}})
	a.NoError(err)
	a.NoError(errorOf(a.AllTaskTypes(a.ctx)))
}

func (a *answers) judged() {
	runs, err := a.Runs(a.ctx, a.keys[memory.KindRun])
	came(a, runs, err)
	verdicts, err := a.Verdicts(a.ctx, a.keys[memory.KindVerdict])
	came(a, verdicts, err)
	patterns, err := a.Patterns(a.ctx, a.keys[memory.KindPattern])
	came(a, patterns, err)
	paged(a, func(r *memory.Run) store.Position { return store.Position{At: r.StartedAt, Key: r.Key} }, func(page store.Page) ([]*memory.Run, bool, error) {
		return a.ListRuns(a.ctx, page)
	})
	paged(a, func(v *memory.Verdict) store.Position { return store.Position{At: v.At, Key: v.Key} }, func(page store.Page) ([]*memory.Verdict, bool, error) {
		return a.ListVerdicts(a.ctx, store.VerdictQuery{Page: page})
	})
	a.NoError(errorOf(a.SectionsOfRuns(a.ctx, a.keys[memory.KindRun])))
	a.NoError(errorOf(a.Judges(a.ctx)))
	a.NoError(a.EachJudgement(a.ctx, store.JudgementQuery{}, func(*memory.Judgement) error { return nil }))
	_, _, err = a.ListPatterns(a.ctx, store.PatternQuery{Page: store.Page{Limit: 3}})
	a.NoError(err)
}
