package storetest

import (
	"testing"

	"mneme/store"
)

// RunKnowledge runs the part of the suite that is about store.Knowledge. The function open is as for Run.
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
		{"Observations", s.observations},
		{"Weights", s.weights},
		{"Prunes", s.prunes},
		{"About", s.about},
		{"Corrections", s.corrections},
		{"Searches", s.searches},
		{"SearchTexts", s.searchTexts},
		{"Traverses", s.traverses},
		{"Walks", s.walks},
		{"KnowingTenants", s.knowingTenants},
		{"KnowingTogether", s.knowingTogether},
	}
	for _, group := range groups {
		t.Run(group.name, group.run)
	}
}
