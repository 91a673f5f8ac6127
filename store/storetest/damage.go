package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// Fill records something of every kind in tenants, in every state that a record can be in.
func Fill(t *testing.T, backend store.Backend, ids ...string) {
	t.Helper()
	for _, id := range ids {
		m := bind(t, backend, id)
		m.fill()
		m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "is older"))
	}
	mustBeWhole(t, backend, ids)
}

// CheckDamage spoils something that filled tenants have stored, and sees that it takes nothing else along: reads and an
// export answer the others, the examination names what cannot be read, and once that is discarded and the rest is
// rebuilt all is well. It says what could not be read.
func CheckDamage(t *testing.T, backend store.Backend, ids []string, spoil func(id string)) (damaged []string) {
	t.Helper()
	before, found := make([][]string, len(ids)), make([][]string, len(ids))
	forEach(t, "spoiled", ids, func(t *testing.T, i int, id string) {
		m := bind(t, backend, id)
		before[i] = m.ids(m.exported())
		spoil(id)
		found[i] = m.othersAnswered(before[i])
		m.canBeImported(bind(t, backend, randomTenant()))
	})
	rebuild(t, backend, ids, found)
	forEach(t, "rebuilt", ids, func(t *testing.T, i int, id string) {
		m := bind(t, backend, id)
		var left store.Damage
		ctx := store.WithDamage(t.Context(), left.Note)
		m.answers(ctx, before[i])
		m.exportedWithin(ctx)
		assert.Empty(t, idsOf(left.Found()), "what is left can be read")
		m.canBeImported(bind(t, backend, randomTenant()))
	})
	return slices.Concat(found...)
}

// forEach runs a test for each tenant, beside the others.
func forEach(t *testing.T, name string, ids []string, test func(t *testing.T, i int, id string)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for i, id := range ids {
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				test(t, i, id)
			})
		}
	})
}

// othersAnswered reads a spoiled tenant, and sees that each of the records of before comes or is told of. It says
// which cannot be read.
func (m *tenant) othersAnswered(before []string) (damaged []string) {
	m.t.Helper()
	var damage store.Damage
	ctx := store.WithDamage(m.ctx(), damage.Note)
	answered := m.answers(ctx, before)
	kept := m.ids(m.exportedWithin(ctx))
	damaged = idsOf(damage.Found())
	for _, of := range before {
		told := slices.Contains(damaged, of)
		m.True(slices.Contains(kept, of) || told, "the export has %s, or tells that it has not", of)
		_, _, isRecord := memory.SplitID(of)
		m.True(!isRecord || answered[of] || told || ofProfile(damaged, of), "reads have %s, or tell that they have not", of)
	}
	return damaged
}

// canBeImported restores what can be read to a tenant that has nothing, and sees that each of it comes or is told of.
func (m *tenant) canBeImported(to *tenant) {
	m.t.Helper()
	var left store.Damage
	var items []store.Item
	m.NoError(store.ExportWhole(store.WithDamage(m.ctx(), left.Note), m.Store, func(item store.Item) error {
		items = append(items, item)
		return nil
	}))
	recorded, err := to.Restore(m.ctx(), items, false)
	m.NoError(err)
	for i, r := range recorded {
		m.NoError(r.Err, "%T %s", items[i], r.Key)
	}
	for _, of := range m.ids(m.exportedWithin(m.ctx())) {
		m.True(slices.Contains(m.ids(items), of) || slices.Contains(idsOf(left.Found()), of), "the export has %s, or tells that it has not", of)
	}
}

// rebuild rebuilds tenants and discards what cannot be read, which is damaged, until they are whole, which takes no
// more than three rounds: what is discarded may leave sums and links that are wrong.
func rebuild(t *testing.T, backend store.Backend, ids []string, damaged [][]string) {
	t.Helper()
	faults := faultsOf(t, backend, ids)
	for i, id := range ids {
		found := slices.ContainsFunc(faults, func(f store.Finding) bool { return f.Tenant == id })
		assert.True(t, found || len(damaged[i]) == 0, "the examination finds what cannot be read of %s: %v", id, damaged[i])
	}
	for round := 0; round < 3 && len(faults) > 0; round++ {
		unreadable := map[string][]string{}
		for _, f := range faults {
			assert.NotEmpty(t, f.Remedy, f.Fault)
			unreadable[f.Tenant] = append(unreadable[f.Tenant], f.Unreadable...)
		}
		for id, named := range unreadable {
			bound, err := backend.Tenant(t.Context(), id)
			require.NoError(t, err)
			require.NoError(t, errorOf(bound.Discard(t.Context(), named)), id)
			require.NoError(t, bound.Rebuild(t.Context(), nil), id)
		}
		faults = faultsOf(t, backend, ids)
	}
	noFaults(t, faults)
}

// CheckForgettingDamage spoils something of filled tenants, and then completes a run, deletes records and forgets the
// agents, all of which what cannot be read does not hinder.
func CheckForgettingDamage(t *testing.T, backend store.Backend, ids []string, spoil func(id string)) {
	t.Helper()
	forEach(t, "forgotten", ids, func(t *testing.T, _ int, id string) {
		m := bind(t, backend, id)
		spoil(id)
		_, err := m.CompleteRun(t.Context(), store.RunCompletion{Run: "r open", At: at(22)})
		if damaged := (*store.Damaged)(nil); !errors.As(err, &damaged) || damaged.ID() != "run:r open" { // which it may be itself
			require.NoError(t, err)
		}
		require.NoError(t, Delete(t.Context(), m, memory.KindEpisode, "open"))
		for _, feedback := range []string{"by episode", "by run", "by canvas", "by session"} {
			require.NoError(t, Delete(t.Context(), m, memory.KindFeedback, feedback))
		}
		for _, agent := range []string{"ada", "agent", "idle", "worker"} {
			_, err := m.Delete(t.Context(), memory.KindAgent, []string{agent})
			require.NoError(t, err, agent)
		}
		left := map[string]bool{}
		for _, of := range m.ids(m.exportedWithin(t.Context())) {
			kind, _, _ := strings.Cut(of, ":")
			left[kind] = true
		}
		for _, kind := range []memory.Kind{memory.KindAgent, memory.KindEpisode, memory.KindExecution} {
			assert.False(t, left[string(kind)], "something of kind %s is left", kind)
		}
	})
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

// faultsOf are what an examination finds in tenants.
func faultsOf(t *testing.T, backend store.Backend, ids []string) (faults []store.Finding) {
	t.Helper()
	findings, err := backend.Examine(t.Context())
	require.NoError(t, err)
	for _, f := range findings {
		if f.Fault != "" && slices.Contains(ids, f.Tenant) {
			faults = append(faults, f)
		}
	}
	for _, id := range ids {
		requireSameAlone(t, backend, id, faults)
	}
	return faults
}

// requireSameAlone examines a tenant alone, of which the same is found, and nothing of others.
func requireSameAlone(t *testing.T, backend store.Backend, id string, faults []store.Finding) {
	t.Helper()
	alone, err := backend.ExamineTenant(t.Context(), id)
	require.NoError(t, err)
	texts := func(findings []store.Finding) []string {
		found := []string{}
		for _, f := range findings {
			if f.Fault != "" && f.Tenant == id {
				found = append(found, f.Part+": "+f.Fault)
			}
		}
		return found
	}
	assert.ElementsMatch(t, texts(faults), texts(alone))
	for _, f := range alone {
		assert.Equal(t, id, f.Tenant, f.Part)
	}
}

func mustBeWhole(t *testing.T, backend store.Backend, ids []string) {
	t.Helper()
	noFaults(t, faultsOf(t, backend, ids))
}

func noFaults(t *testing.T, faults []store.Finding) {
	t.Helper()
	for _, f := range faults {
		assert.Fail(t, "a fault", "%s: %s: %s", f.Tenant, f.Part, f.Fault)
	}
}

// CheckLogDamage spoils the first event of a log that came in parts, and one further on: pages, and an export, have all
// others, in their order.
func CheckLogDamage(t *testing.T, backend store.Backend, id string, spoil func(sequence int)) {
	t.Helper()
	m := bind(t, backend, id)
	m.open("e1")
	events, kept := []memory.Event{}, []int{}
	for i := range 120 {
		events = append(events, entry(i, "x", fmt.Sprint(i)))
		if i != 0 && i != 3 {
			kept = append(kept, i)
		}
	}
	m.logged("e1", events...)
	spoil(0)
	spoil(3)
	var damage store.Damage
	ctx := store.WithDamage(t.Context(), damage.Note)
	var read []int
	for page, more := (store.Page{Limit: 4}), true; more; {
		var events []memory.Event
		var err error
		events, more, err = logOf(ctx, m, "e1", page)
		require.NoError(t, err)
		require.NotEmpty(t, events)
		for _, event := range events {
			read = append(read, event.Sequence)
		}
		page.After = &store.Position{Sequence: read[len(read)-1]}
	}
	m.Equal(kept, read)
	m.Equal([]string{"episode:e1"}, idsOf(damage.Found()))
	var exported []int
	m.NoError(store.ExportWhole(ctx, m.Store, func(item store.Item) error {
		if event, ok := item.(*store.EventItem); ok {
			exported = append(exported, event.Sequence)
		}
		return nil
	}))
	m.Equal(kept, exported)
}

// CheckCompletingDamage spoils a verdict of a run, and the pattern that the run taught before: the run is completed
// with what can be read, both are told of, and the pattern begins anew.
func CheckCompletingDamage(t *testing.T, backend store.Backend, id string, spoilVerdict, spoilPattern func(key string)) {
	t.Helper()
	c := judgedTenantOf(bind(t, backend, id))
	c.rule(verdict("first", "before", "s", at(1)).using("glow"), verdict("second", "before", "s 2", at(1)).using("glow"))
	c.complete("before", 5)
	c.rule(verdict("good", "r", "s", at(2)).using("glow"), verdict("bad", "r", "s 2", at(3)).using("glow"))
	pattern := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
	found, err := store.Get[memory.Pattern](c.ctx(), c, []string{pattern})
	c.NoError(err)
	require.Equal(t, 2, found[0].Hits)
	spoilVerdict("bad")
	spoilPattern(pattern)

	var damage store.Damage
	completed, err := c.CompleteRun(store.WithDamage(t.Context(), damage.Note), store.RunCompletion{Run: "r", At: at(9)})
	c.NoError(err)
	c.Equal(store.CompletedRun{Sections: 1, Patterns: 1}, completed)
	c.Equal([]string{memory.NodeID(memory.KindPattern, pattern), "verdict:bad"}, idsOf(damage.Found()))
	found, err = store.Get[memory.Pattern](c.ctx(), c, []string{pattern})
	c.NoError(err)
	require.NotNil(t, found[0])
	c.Equal(1, found[0].Hits)
}

// CheckThresholdDamage spoils thresholds of a judge: the others are answered, and what cannot be read is told of.
func CheckThresholdDamage(t *testing.T, backend store.Backend, id string, spoils ...func(key string)) {
	t.Helper()
	m := bind(t, backend, id)
	sound := memory.JudgeThreshold{JudgeKey: "j", Threshold: new(7.0), At: at(1)}
	m.NoError(applyJudgeThreshold(m.ctx(), m, sound))
	var spoiled []string
	for i, spoil := range spoils {
		threshold := memory.JudgeThreshold{JudgeKey: "j", SectionType: new(fmt.Sprint("s", i)), Threshold: new(5.0), At: at(2)}
		m.NoError(applyJudgeThreshold(m.ctx(), m, threshold))
		spoil(threshold.Key())
		spoiled = append(spoiled, memory.NodeID(store.KindJudgeThreshold, threshold.Key()))
	}
	var damage store.Damage
	found, err := store.All(store.WithDamage(m.ctx(), damage.Note), m, store.ThresholdsOf{Judges: []string{"j"}})
	m.NoError(err)
	m.Equal([]*memory.JudgeThreshold{&sound}, found)
	m.Equal(spoiled, idsOf(damage.Found()))
}

// CheckGone removes all nodes of some kinds from filled tenants, but not what is beside them, as another program may.
// Of the rest each comes or is told of, and once it is rebuilt what was there can be restored.
func CheckGone(t *testing.T, backend store.Backend, tenants map[string][]memory.Kind, remove func(id string, kind memory.Kind)) {
	t.Helper()
	ids := slices.Sorted(maps.Keys(tenants))
	Fill(t, backend, ids...)
	items, found := make([][]store.Item, len(ids)), make([][]string, len(ids))
	forEach(t, "spoiled", ids, func(t *testing.T, i int, id string) {
		m := bind(t, backend, id)
		items[i] = m.exported()
		for _, kind := range tenants[id] {
			remove(id, kind)
		}
		others := slices.DeleteFunc(m.ids(items[i]), func(of string) bool {
			kind, _, _ := memory.SplitID(of)
			return slices.Contains(tenants[id], kind) || strings.HasPrefix(of, "relation:") && slices.Contains(tenants[id], memory.KindConcept)
		})
		found[i] = m.othersAnswered(others)
		m.canBeImported(bind(t, backend, randomTenant()))
	})
	rebuild(t, backend, ids, found)
	forEach(t, "restored", ids, func(t *testing.T, i int, id string) {
		m := bind(t, backend, id)
		recorded, err := m.Restore(t.Context(), items[i], false)
		require.NoError(t, err)
		for _, r := range recorded {
			kind, _, _ := memory.SplitID(r.Key)
			if !slices.Contains(tenants[id], kind) || !errors.Is(r.Err, store.ErrConflict) { // nothing says what one made anew was made of
				assert.NoError(t, r.Err, r.Key)
			}
		}
		assert.Subset(t, m.ids(m.exported()), m.ids(items[i]))
		rebuild(t, backend, []string{id}, [][]string{nil})
	})
}
