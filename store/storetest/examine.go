package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func (s suite) examinations(t *testing.T) {
	t.Run("what mneme wrote has no fault", func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.NoError(errorOf(m.InputKey(m.ctx())))
		writeOfAllKinds(m)
		requireNoFault(m, backend, id)
		m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "e1"))
		m.NoError(errorOf(m.Backfill(m.ctx(), nil)))
		requireNoFault(m, backend, id)
	})
	t.Run("rebuilding what is whole changes nothing", func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		writeOfAllKinds(m)
		before, parts := m.exported(), map[string]bool{}
		m.NoError(m.Rebuild(m.ctx(), func(step store.RebuildStep) { parts[step.Part] = true }))
		m.NotEmpty(parts)
		m.Equal(before, m.exported())
		requireNoFault(m, backend, id)
		m.Zero(m.count(m.Discard(m.ctx(), []string{"episode:e1", "verdict:v1", "episode:none"})), "what can be read is not discarded")
		m.Equal(before, m.exported())
		m.NoError(m.Rebuild(m.ctx(), nil))
	})
	t.Run("rebuilding ends with its context", func(t *testing.T) {
		m := bind(t, s.open(t), randomTenant())
		writeOfAllKinds(m)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		require.ErrorIs(t, m.Rebuild(ctx, func(store.RebuildStep) { cancel() }), context.Canceled)
		m.NoError(m.Rebuild(m.ctx(), nil), "a second one finishes")
	})
	t.Run("a tenant without records has no fault", func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		requireNoFault(bind(t, backend, id), backend, id)
	})
	t.Run("a canceled context ends it with its error", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		backend, id := s.open(t), randomTenant()
		bind(t, backend, id).record(episode("x", at(0)))
		require.ErrorIs(t, errorOf(backend.Examine(ctx)), context.Canceled)
		require.ErrorIs(t, errorOf(backend.ExamineTenant(ctx, id)), context.Canceled)
	})
	t.Run("a closed backend cannot be examined", func(t *testing.T) {
		backend := s.open(t)
		require.NoError(t, backend.Close(t.Context()))
		require.ErrorIs(t, errorOf(backend.Examine(t.Context())), store.ErrUnavailable)
		require.ErrorIs(t, errorOf(backend.ExamineTenant(t.Context(), "t-closed")), store.ErrUnavailable)
	})
}

// writeOfAllKinds records something of every kind, linked in most ways there are, and waiting.
func writeOfAllKinds(m *tenant) {
	m.t.Helper()
	m.record(
		episode("e1", at(0)).in("s").seeing("delayed flights").embedded(1, 2).causedBy("e0"),
		episode("e2", at(1)).in("s").seeing("a refund").causedBy("e1"),
	)
	m.act(present("c1", at(0)).of("e1"), present("c2", at(0)).in("elsewhere"), present("c3", at(0)).of("unknown"))
	m.react(thumbsUp("f1", at(2)).on("e1"), thumbsUp("f2", at(2)).onCanvas("c1"), thumbsUp("f3", at(2)).onCanvas("unknown"))
	m.remember(memoir("m"))
	m.learn(concept("k1"), concept("k2"))
	m.link(relates("k1", memory.RelationPartOf, "k2"))
	m.observe(observation("o1", at(3)).in("s").about("episode:e1", "concept:k1", "memoir:unknown"))
	m.correct(correction("r1", "charts", at(3)).about("canvas:c1"))
	m.record(episode("e3", at(4)).doing("refund"))
	m.executionsAt(102)
	m.open("in parts")
	m.logged("in parts", entry(0, "a", `1`), entry(3, "b", ""))
	c := judgedTenantOf(m)
	c.rule(fullVerdict("v1"), verdict("v2", "r", "s", at(5)))
	c.complete("r/1", 6)
	m.hold(at(1), held("t", "a", ""))
	m.record(episode("gone", at(5)).by("gone").doing("refund"))
	m.deleteAgent("gone", 1)
}

// requireNoFault examines a backend for what concerns a tenant.
func requireNoFault(m *tenant, backend store.Backend, id string) {
	m.t.Helper()
	findings, err := backend.Examine(m.ctx())
	m.NoError(err)
	m.NotEmpty(findings)
	for _, f := range findings {
		if f.Tenant != "" && f.Tenant != id {
			continue
		}
		m.NotEmpty(f.Part)
		m.NotEmpty(f.Found, f.Part)
		m.Empty(f.Fault, f.Part)
		m.Empty(f.Remedy, f.Part)
	}
	alone, err := backend.ExamineTenant(m.ctx(), id)
	m.NoError(err)
	for _, f := range alone {
		m.Equal(id, f.Tenant, f.Part)
		m.NotEmpty(f.Part)
		m.Empty(f.Fault, f.Part)
	}
}

// toldOf is what is found in a part of a tenant, without how much there is.
func toldOf(m *tenant, backend store.Backend, id, part string) string {
	m.t.Helper()
	findings, err := backend.Examine(m.ctx())
	m.NoError(err)
	for _, f := range findings {
		if f.Tenant == id && f.Part == part {
			return f.Found
		}
	}
	return ""
}
