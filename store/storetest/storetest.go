// Package storetest is the conformance suite of the storage contract, and its shared benchmarks. Every sentence of
// package store is a test here, written from its words and from no implementation; a backend joins in a few lines:
//
//	func TestConformance(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Backend { … })
//	}
//
// Where the contract leaves a tie open the suite reads it by its general rule: whatever an order sorts
// by, newest first included, records that tie come by key, ascending.
package storetest

import (
	"flag"
	"testing"

	"pgregory.net/rapid"

	"mneme/store"
)

// Run runs the suite. The function open gives a backend to the test it is handed, and closes it when the test ends;
// some tests close it before. All may share a database: every test works in a tenant of its own under a random name.
func Run(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open}
	runGroups(t, []group{
		{"Tenants", s.tenants},
		{"Keys", s.keys},
		{"Episodes", s.episodes},
		{"Conclusions", s.conclusions},
		{"Amendments", s.amendments},
		{"Logs", s.logs},
		{"Deletes", s.deletes},
		{"Waiting", s.waiting},
		{"Backfill", s.backfill},
		{"Canvases", s.canvases},
		{"Feedback", s.feedback},
		{"Replacing", s.replacing},
		{"Actors", s.actors},
		{"Listing", s.listing},
		{"Users", s.users},
		{"Histories", s.histories},
		{"Texts", s.texts},
		{"TextsFound", s.texted},
		{"Vectors", s.vectors},
		{"Passages", s.passages},
		{"AsOf", s.asOf},
		{"Spans", s.spans},
		{"Notices", s.notices},
		{"Concurrency", s.concurrency},
		{"Examinations", s.examinations},
		{"Lifecycle", s.lifecycle},
	})
}

// group is tests of one matter.
type group struct {
	name string
	run  func(t *testing.T)
}

// runGroups runs groups beside each other.
func runGroups(t *testing.T, groups []group) {
	t.Helper()
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.run(t)
		})
	}
}

// suite opens what the tests need.
type suite struct {
	open func(t *testing.T) store.Backend
}

func (s suite) bind(t tester, backend store.Backend) *tenant {
	return bind(t, backend, randomTenant())
}

// run runs a test in a tenant of its own, beside others.
func (s suite) run(t *testing.T, name string, test func(m *tenant)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		test(s.bind(t, s.open(t)))
	})
}

// check runs a property in a fresh tenant of one backend for each of the given number of random cases.
func (s suite) check(t *testing.T, name string, cases int, property func(m *tenant, random *rapid.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		backend := s.open(t)
		Check(t, cases, func(random *rapid.T) { property(s.bind(random, backend), random) })
	})
}

// Check runs a property for so many random cases, in the short form of the tests for a third; where the flag
// -rapid.checks is given, for that many times more.
func Check(t *testing.T, cases int, property func(random *rapid.T)) {
	t.Helper()
	if testing.Short() {
		cases = (cases + 2) / 3
	}
	for range cases {
		rapid.Check(t, property)
	}
}

// A case against a server takes a second where rapid's default of a hundred supposes microseconds, and that number is
// of the whole process, so Check counts. Failures stay out of files: the seed that rapid prints reproduces them.
func init() { //nolint:gochecknoinits // tests run side by side, so it is set before the first
	for name, value := range map[string]string{"rapid.checks": "1", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}
