// Package storetest is the conformance suite of the storage contract, and its shared benchmarks. Every
// sentence of package store is a test here, written from its words and from no implementation; a
// backend joins in a few lines:
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
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/store"
)

// Run runs the suite. The function open gives a backend to the test it is handed; it may give the same
// one each time, because every test works in a tenant of its own under a random name. It must close
// what it opens, and the last test closes what it is given, so that a shared backend ends with it.
// Other tests may use the same database meanwhile.
func Run(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open}
	groups := []struct {
		name string
		run  func(t *testing.T)
	}{
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
	}
	for _, group := range groups {
		t.Run(group.name, group.run)
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

// check runs a property in a fresh tenant of one backend for each of the given number of random cases;
// the flag -rapid.checks, where given, says otherwise.
func (s suite) check(t *testing.T, name string, cases int, property func(m *tenant, random *rapid.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		backend := s.open(t)
		limitChecks(t, cases)
		rapid.Check(t, func(random *rapid.T) { property(s.bind(random, backend), random) })
	})
}

// limitChecks sets rapid's number of checks for a test, because a check against a server costs a
// second where rapid's default of a hundred supposes microseconds. It also keeps failures out of files:
// the seed that rapid prints reproduces them.
func limitChecks(t *testing.T, cases int) {
	t.Helper()
	setDefault(t, "rapid.checks", strconv.Itoa(cases))
	setDefault(t, "rapid.nofailfile", "true")
}

// setDefault sets a flag for a test, unless the command line did.
func setDefault(t *testing.T, name, value string) {
	t.Helper()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	if given {
		return
	}
	known := flag.Lookup(name).Value
	before := known.String()
	require.NoError(t, known.Set(value))
	t.Cleanup(func() { require.NoError(t, known.Set(before)) })
}
