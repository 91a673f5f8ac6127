package storetest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

func (s suite) weights(t *testing.T) {
	s.run(t, "observations are listed latest first", func(m *tenant) {
		m.observe(observation("b", at(1)), observation("c", at(2)), observation("a", at(1)))
		m.Equal([]string{"c", "a", "b"}, m.listedObservations(store.ObservationQuery{Order: memory.LatestFirst}))
	})
	s.run(t, "equal weights come newer first, then by key", func(m *tenant) {
		m.observe(
			observation("b", at(1)), observation("c", at(2)), observation("a", at(1)),
			observation("low", at(3)).weighing(memory.ImportanceLow), observation("top", at(0)).weighing(memory.ImportanceCritical),
		)
		m.Equal([]string{"top", "c", "a", "b", "low"}, m.listedObservations(store.ObservationQuery{Order: memory.HeaviestFirst}))
		m.Equal([]string{"low", "c", "a", "b", "top"}, m.listedObservations(store.ObservationQuery{Order: memory.LightestFirst}))
	})
	s.run(t, "bounds of weight are inclusive, to the last bit", weightBounds)
	s.check(t, "lists, pages, counts and prunes follow the policy's formula", 8, weightLaws)
	s.check(t, "an access between pages moves only what was accessed", 6, accessesBetweenPages)
}

// listedObservations gives the keys of all that a query lists, and checks their number.
func (m *tenant) listedObservations(query store.ObservationQuery) []string {
	m.t.Helper()
	found, more, err := store.List(m.ctx(), m, query, everything)
	m.NoError(err)
	m.False(more)
	m.Equal(len(found), m.count(store.Count(m.ctx(), m, query)))
	return observationKeys(found)
}

func observationKeys(observations []*memory.Observation) []string {
	return keysOf(observations, func(o *memory.Observation) string { return o.Key })
}

func weightBounds(m *tenant) {
	m.observe(observation("o1", at(0)), observation("o2", at(0)))
	m.access("o1", 7, 100)
	now := at(50_000)
	for _, policy := range decay.Policies {
		weight := policy.Weight(m.observation("o1"), now)
		for _, test := range []struct {
			bound           float64
			atLeast, atMost bool
		}{
			{weight, true, true}, {math.Nextafter(weight, 2), false, true}, {math.Nextafter(weight, 0), true, false},
		} {
			query := store.ObservationQuery{Policy: policy, Now: now, Order: memory.LatestFirst, MinWeight: &test.bound}
			m.Equal(test.atLeast, slices.Contains(m.listedObservations(query), "o1"), policy)
			query.MinWeight, query.MaxWeight = nil, &test.bound
			m.Equal(test.atMost, slices.Contains(m.listedObservations(query), "o1"), policy)
		}
	}
}

// observedWorld records random observations and tells of random accesses.
func observedWorld(w *world) []*memory.Observation {
	drafts := make([]observationDraft, rapid.IntRange(0, 12).Draw(w.random, "observations"))
	var accesses []store.Access
	keys := make([]string, len(drafts))
	for i := range drafts {
		key := fmt.Sprint("o", i)
		drafts[i] = observation(key, w.moment()).weighing(oneOf(w, "importance", memory.Importances...))
		keys[i] = key
		if w.chance("is read") {
			days := rapid.IntRange(1, 40).Draw(w.random, "days")
			count := oneOf(w, "times", days, 1<<20+1, memory.MaxCount-1000)
			accesses = append(accesses, store.Access{Key: key, Count: count, At: w.moment().AddDate(oneOf(w, "years", 0, 0, 7000), 0, days)})
		}
	}
	w.observe(drafts...)
	w.NoError(w.counted(accesses))
	found, err := store.Get[memory.Observation](w.ctx(), w, keys)
	w.NoError(err)
	return found
}

func weightLaws(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	all := observedWorld(w)
	query := store.ObservationQuery{
		Policy: oneOf(w, "policy", decay.Policies...),
		Now: day.AddDate(oneOf(w, "years later", 0, 0, -2000, 7900), 0, 0).
			Add(time.Duration(rapid.IntRange(-1, 200).Draw(random, "hours later")) * 11 * time.Hour),
		Order: oneOf(w, "order", memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst),
	}
	bounds := []float64{0.1, 0.2, 0.5, 0.8}
	for _, o := range all {
		bounds = append(bounds, query.Policy.Weight(o, query.Now))
	}
	query.MinWeight, query.MaxWeight = maybe(w, "at least", bounds...), maybe(w, "at most", bounds...)

	want := weighed(all, query)
	m.Equal(want, m.listedObservations(query))
	for _, limit := range []int{1, 2, 5} {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Observation, bool, error) {
			return store.List(m.ctx(), m, query, page)
		}, func(o *memory.Observation) store.Position {
			return store.Position{Value: new(query.Policy.Weight(o, query.Now)), At: o.CreatedAt, Key: o.Key}
		})
		m.Equal(want, observationKeys(walked), "pages of %d", limit)
	}
	for _, o := range all { // to the last bit
		query.MinWeight = new(query.Policy.Weight(o, query.Now))
		query.MaxWeight = query.MinWeight
		m.Contains(m.listedObservations(query), o.Key)
	}
	pruneLaws(m, all, store.Pruning{Policy: query.Policy, Now: query.Now, MinWeight: oneOf(w, "prune below", bounds...)})
}

func accessesBetweenPages(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	all := observedWorld(w)
	query := store.ObservationQuery{
		Policy: oneOf(w, "policy", decay.Policies...), Now: day.AddDate(0, 2, 0),
		Order: oneOf(w, "order", memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst),
	}
	accessed := map[string]bool{}
	walked := walk(m, 2, func(page store.Page) ([]*memory.Observation, bool, error) {
		if page.After != nil {
			key := oneOf(w, "accessed", observationKeys(all)...)
			accessed[key] = true
			m.access(key, 3, 5000)
		}
		return store.List(m.ctx(), m, query, page)
	}, func(o *memory.Observation) store.Position {
		return store.Position{Value: new(query.Policy.Weight(o, query.Now)), At: o.CreatedAt, Key: o.Key}
	})
	times := map[string]int{}
	for _, key := range observationKeys(walked) {
		times[key]++
	}
	for _, o := range all {
		if !accessed[o.Key] {
			m.Equal(1, times[o.Key], o.Key)
		}
	}
}

// weighed is the list in plain Go.
func weighed(all []*memory.Observation, query store.ObservationQuery) []string {
	weight := func(o *memory.Observation) float64 { return query.Policy.Weight(o, query.Now) }
	kept := slices.DeleteFunc(slices.Clone(all), func(o *memory.Observation) bool {
		return query.MinWeight != nil && weight(o) < *query.MinWeight || query.MaxWeight != nil && weight(o) > *query.MaxWeight
	})
	slices.SortFunc(kept, func(a, b *memory.Observation) int {
		byWeight := cmp.Compare(weight(a), weight(b))
		switch query.Order {
		case memory.HeaviestFirst:
			byWeight = -byWeight
		case memory.LatestFirst:
			byWeight = 0
		case memory.LightestFirst:
		}
		return cmp.Or(byWeight, b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
	})
	return observationKeys(kept)
}

// pruneLaws prunes, first without effect, and checks that exactly what is prunable goes.
func pruneLaws(m *tenant, all []*memory.Observation, pruning store.Pruning) {
	m.t.Helper()
	want := make([]*memory.Observation, len(all))
	keys, pruned := make([]string, len(all)), 0
	for i, o := range all {
		keys[i] = o.Key
		if !o.Importance.Pinned() && pruning.Policy.Weight(o, pruning.Now) < pruning.MinWeight {
			pruned++
		} else {
			want[i] = o
		}
	}
	for _, dryRun := range []bool{true, false} {
		pruning.DryRun = dryRun
		m.Equal(pruned, m.count(m.PruneObservations(m.ctx(), pruning)))
		if dryRun {
			m.Equal(len(all), m.count(store.Count(m.ctx(), m, store.ObservationQuery{Order: memory.LatestFirst})))
		}
	}
	found, err := store.Get[memory.Observation](m.ctx(), m, keys)
	m.NoError(err)
	m.Equal(want, found)
	m.Zero(m.count(m.PruneObservations(m.ctx(), pruning)))
}

func (s suite) prunes(t *testing.T) {
	s.run(t, "critical and high are never pruned", func(m *tenant) {
		for _, importance := range memory.Importances {
			m.observe(observation(string(importance), at(0)).weighing(importance))
			m.access(string(importance), 1_000_000, 1)
		}
		for _, policy := range decay.Policies {
			pruning := store.Pruning{Policy: policy, Now: at(9_000_000), MinWeight: 2, DryRun: true}
			m.Equal(2, m.count(m.PruneObservations(m.ctx(), pruning)))
		}
		m.Equal(2, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(9_000_000), MinWeight: 2})))
		m.observation(string(memory.ImportanceCritical))
		m.observation(string(memory.ImportanceHigh))
	})
	s.run(t, "what weighs exactly as much stays", func(m *tenant) {
		m.observe(observation("medium", at(0)), observation("low", at(0)).weighing(memory.ImportanceLow))
		m.Zero(m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 0.2})))
		m.Equal(1, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 0.5})))
		m.observation("medium")
	})
	s.run(t, "more than a part is pruned whole", func(m *tenant) {
		const many = 1100
		drafts := make([]observationDraft, many)
		for i := range drafts {
			drafts[i] = observation(fmt.Sprint("o", i), at(i)).weighing(memory.ImportanceLow).in("s")
		}
		for part := range slices.Chunk(drafts, 100) {
			m.observe(part...)
		}
		m.observe(observation("kept", at(0)))
		m.Equal(many, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(many), MinWeight: 0.3})))
		m.False(m.hasSession("s"))
		m.observation("kept")
	})
	s.run(t, "a pruned observation leaves no link, word or session behind", pruneLeavesNothing)
}

func pruneLeavesNothing(m *tenant) {
	m.record(episode("e1", at(0)).in("both"))
	low := func(key string) observationDraft {
		return observation(key, at(1)).weighing(memory.ImportanceLow).saying("walrus")
	}
	m.observe(
		low("o1").in("alone").about("episode:e1", "episode:later", "observation:o2"), low("o2").in("both"),
		observation("o3", at(2)).saying("a walrus among other words").about("observation:o1", "observation:o2"),
	)
	m.Equal([]string{"observation:o1", "observation:o2"}, m.observation("o3").About)
	m.Equal(2, m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(2), MinWeight: 0.3})))

	m.False(m.hasSession("alone"))
	m.True(m.hasSession("both"))
	m.Equal([]string{}, m.observation("o3").About)
	m.Equal([]string{"observation:o3"}, m.matches("walrus", memory.KindObservation))
	m.Equal([]bool{false, false, true}, m.exist("observation:o1", "observation:o2", "observation:o3"))
	m.Equal([]string{"agent:agent", "session:both"}, m.neighbours(store.AdjacencyQuery{Of: []string{"episode:e1"}}))
	m.record(episode("later", at(5)))
	m.observe(observation("o1", at(9)))
	m.Equal([]string{}, m.observation("o1").About)
	m.Equal([]string{}, m.observation("o3").About, "what was pruned is not waited for")
}
