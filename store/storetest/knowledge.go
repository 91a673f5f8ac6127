package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/store"
)

// RunKnowledge runs the suite of store.Knowledge on backends whose tenants know more than experiences.
// The function open is as for Run.
//
// Where the contract is silent the suite settles: About is read as the ids of the records that an
// observation or a correction is linked with, in the order of their bytes; a filter of a search leaves
// out the records of all kinds but its own.
func RunKnowledge(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	groups := []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Memoirs", s.memoirs},
		{"Concepts", s.concepts},
		{"Refinements", s.refinements},
		{"Relations", s.relations},
		{"Mentions", s.mentions},
	}
	for _, group := range groups {
		t.Run(group.name, group.run)
	}
}

// knower is a tenant that knows.
type knower struct {
	*tenant
	store.Knowledge
}

func bindKnower(t tester, backend store.Backend) *knower {
	t.Helper()
	m := bind(t, backend, randomTenant())
	knowledge, ok := m.Store.(store.Knowledge)
	require.True(t, ok, "a %T is no store.Knowledge", m.Store)
	return &knower{tenant: m, Knowledge: knowledge}
}

// know runs a test in a tenant of its own.
func (s suite) know(t *testing.T, name string, test func(m *knower)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { test(bindKnower(t, s.open(t))) })
}

// checkKnower is check for tenants that know.
func (s suite) checkKnower(t *testing.T, name string, cases int, property func(m *knower, random *rapid.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		backend := s.open(t)
		limitChecks(t, cases)
		rapid.Check(t, func(random *rapid.T) { property(bindKnower(random, backend), random) })
	})
}
