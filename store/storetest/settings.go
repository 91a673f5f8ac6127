package storetest

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// SpoiledSetting is what was done to settings of a tenant.
type SpoiledSetting struct {
	// Names are those of the settings in the store.
	Names []string
	// Key is the name of the input key where that is one of them, which follows from nothing else.
	Key string
	// Harmless says that nothing is wrong then.
	Harmless bool
	Spoil    func(id string)
}

// FillWith is Fill with something more, that CheckSettings takes away and brings back.
func FillWith(t *testing.T, backend store.Backend, ids ...string) {
	t.Helper()
	for _, id := range ids {
		bind(t, backend, id).record(spare())
	}
	Fill(t, backend, ids...)
}

func spare() episodeDraft { return episode("spare", at(0)).in("spare").embedded(1, 0, 0) }

// CheckSettings spoils a setting of each tenant that was filled, and sees that all that needs it not goes on, that
// the examination names it, and that everything is there and works once it is rebuilt. The function open gives a
// backend that has read nothing yet.
func CheckSettings(t *testing.T, open func(t *testing.T) store.Backend, cases map[string]SpoiledSetting) {
	t.Helper()
	ids := slices.Sorted(maps.Keys(cases))
	before := map[string][]store.Item{}
	anew := func(name string, do func(t *testing.T, backend store.Backend, id string, s SpoiledSetting)) {
		backend := open(t)
		for _, id := range ids {
			t.Run(id+", "+name, func(t *testing.T) { do(t, backend, id, cases[id]) })
		}
		require.NoError(t, backend.Close(t.Context()))
	}
	spoil := func(id string) { cases[id].Spoil(id) }
	anew("filled", func(t *testing.T, backend store.Backend, id string, _ SpoiledSetting) {
		before[id] = bind(t, backend, id).exported()
	})
	each(ids, spoil)
	findings := open(t)
	faults := faultsOf(t, findings, ids)
	require.NoError(t, findings.Close(t.Context()))
	anew("spoiled", func(t *testing.T, backend store.Backend, id string, s SpoiledSetting) {
		s.named(t, id, faults)
		s.use(t, backend, id, before[id])
	})
	each(ids, spoil)
	rebuilt := open(t)
	rebuild(t, rebuilt, ids, make([][]string, len(ids)))
	require.NoError(t, rebuilt.Close(t.Context()))
	anew("rebuilt", func(t *testing.T, backend store.Backend, id string, s SpoiledSetting) {
		s.whole(t, backend, id, before[id])
	})
	last := open(t)
	mustBeWhole(t, last, ids)
	require.NoError(t, last.Close(t.Context()))
}

func each(ids []string, do func(id string)) {
	for _, id := range ids {
		do(id)
	}
}

// named sees that the faults of a tenant name the settings, and that there are no others.
func (s *SpoiledSetting) named(t *testing.T, id string, faults []store.Finding) {
	t.Helper()
	told, others := "", 0
	for _, f := range faults {
		if f.Tenant != id {
			continue
		}
		told += f.Fault + "\n"
		if !slices.ContainsFunc(s.Names, func(name string) bool { return strings.Contains(f.Fault, "setting "+name) }) {
			others++
		}
	}
	for _, name := range s.Names {
		assert.Equal(t, !s.Harmless, strings.Contains(told, "setting "+name), "what the examination says of %s: %s", name, told)
	}
	assert.Zero(t, others, told)
}

// use reads and exports a tenant with a setting that was spoiled, and writes to it.
func (s *SpoiledSetting) use(t *testing.T, backend store.Backend, id string, before []store.Item) {
	t.Helper()
	bound, err := backend.Tenant(t.Context(), id)
	require.NoError(t, err)
	m := &tenant{Store: bound, Assertions: require.New(t), t: t}
	var damage store.Damage
	ctx := store.WithDamage(t.Context(), damage.Note)
	s.same(t, before, m.exportedWithin(ctx))
	lost := []string{}
	if s.Key != "" {
		lost = append(lost, memory.NodeID(store.KindSetting, s.Key))
	}
	assert.Equal(t, lost, idsOf(damage.Found()), "what is lost is told")
	answered := m.answers(ctx, m.ids(before))
	for _, item := range before {
		if _, _, isRecord := memory.SplitID(item.ID()); isRecord {
			assert.True(t, answered[item.ID()], "reads have %s", item.ID())
		}
	}
	_, keyless := bound.InputKey(ctx)
	_, restored := bound.Restore(ctx, []store.Item{&store.RunItem{Run: memory.Run{Key: "fresh run", StartedAt: at(1)}}}, false)
	_, forgotten := bound.Delete(ctx, memory.KindPerson, []string{"nobody"})
	erased := Delete(ctx, bound, memory.KindEpisode, "spare")
	for _, err := range []error{keyless, restored, forgotten, erased} {
		var damaged *store.Damaged
		if s.Key != "" {
			require.ErrorAs(t, err, &damaged, "nothing is hashed with another key unnoticed")
			assert.Equal(t, lost[0], damaged.ID())
		} else {
			require.NoError(t, err)
		}
	}
	if erased == nil {
		m.record(spare())
	}
}

// whole sees that a tenant has all that it had, and takes more.
func (s *SpoiledSetting) whole(t *testing.T, backend store.Backend, id string, before []store.Item) {
	t.Helper()
	m := bind(t, backend, id)
	var damage store.Damage
	after := m.exportedWithin(store.WithDamage(t.Context(), damage.Note))
	assert.Empty(t, idsOf(damage.Found()))
	s.same(t, before, slices.DeleteFunc(after, func(item store.Item) bool {
		return item.ID() == "run:fresh run" || isTombstone(m, item, "person:nobody") || isTombstone(m, item, "episode:spare")
	}))
	assert.Equal(t, 3, m.count(m.VectorLength(m.ctx())))
	m.record(episode("afterwards", at(9)).embedded(1, 0, 0))
	found, _, err := m.PassagesByMeaning(m.ctx(), store.Question{Embedding: []float32{1, 0, 0}}, store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 100})
	m.NoError(err)
	near := map[string]bool{}
	for _, p := range found {
		near[p.Key] = true
	}
	assert.True(t, near["afterwards"] && near["open"] && near["full"], "vectors are found: %v", near)
	assert.Equal(t, []store.Recorded{{Key: "late", Created: false}}, m.recorded(episode("late", at(5)).in("late")), "what is sent again is known by its hash")
	m.NoError(errorOf(m.Delete(m.ctx(), memory.KindAgent, []string{"ada"})))
}

// isTombstone says whether an item is the tombstone of an id.
func isTombstone(m *tenant, item store.Item, id string) bool {
	m.t.Helper()
	tombstone, ok := item.(store.Tombstone)
	if !ok {
		return false
	}
	key, err := m.InputKey(context.WithoutCancel(m.ctx()))
	m.NoError(err)
	return bytes.Equal(tombstone, memory.Tombstone(key, id))
}

// same compares two exports, but for the input key where it is lost.
func (s *SpoiledSetting) same(t *testing.T, before, after []store.Item) {
	t.Helper()
	require.NotEmpty(t, after)
	then, _ := before[0].(*store.TenantItem)
	now, ok := after[0].(*store.TenantItem)
	require.True(t, ok)
	assert.Len(t, now.InputKey, store.InputKeyBytes)
	assert.Equal(t, then.VectorLength, now.VectorLength)
	if s.Key != "" {
		assert.NotEqual(t, then.InputKey, now.InputKey)
	} else {
		assert.Equal(t, then.InputKey, now.InputKey)
	}
	assert.Equal(t, before[1:], after[1:])
}

// CheckUnusedKey spoils the input key of a tenant before and after something was hashed with it: only then is it lost.
// The function open gives a backend that has read nothing yet.
func CheckUnusedKey(t *testing.T, open func(t *testing.T) store.Backend, id string, spoil func(id string)) {
	t.Helper()
	within := func(do func(backend store.Backend)) {
		backend := open(t)
		do(backend)
		require.NoError(t, backend.Close(t.Context()))
	}
	within(func(backend store.Backend) {
		m := bind(t, backend, id)
		m.NoError(errorOf(m.InputKey(m.ctx())))
	})
	spoil(id)
	within(func(backend store.Backend) {
		mustBeWhole(t, backend, []string{id})
		m := bind(t, backend, id)
		key, err := m.InputKey(m.ctx())
		m.NoError(err)
		m.Len(key, store.InputKeyBytes, "it makes another where nothing was hashed")
		m.record(spare())
		m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "spare"))
		m.NoError(errorOf(m.Delete(m.ctx(), memory.KindAgent, []string{"agent"})))
	})
	spoil(id)
	within(func(backend store.Backend) {
		faults := faultsOf(t, backend, []string{id})
		require.Len(t, faults, 1, "tombstones were made with it")
		assert.Len(t, faults[0].Unreadable, 1)
	})
}
