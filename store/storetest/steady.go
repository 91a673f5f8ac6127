package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/stretchr/testify/require"

	"mneme/store"
)

// steadily runs a check that compares the scores of several recalls like the given one. Where word
// statistics span tenants, another tenant's writes between two of them move the scores, and then a
// fault says nothing: the check is run again. The same query before and after tells.
func (m *tenant) steadily(query store.RecallQuery, check func(m *tenant)) {
	m.t.Helper()
	var fault error
	for range 20 {
		before := m.hits(query)
		if fault = m.attempt(check); fault == nil {
			return
		}
		if reflect.DeepEqual(before, m.hits(query)) {
			break
		}
	}
	m.NoError(fault)
}

// attempt runs a check and gives its first fault instead of failing the test.
func (m *tenant) attempt(check func(m *tenant)) (fault error) {
	trial := &trial{t: m.t}
	defer func() {
		if stopped := recover(); stopped != nil && stopped != trial {
			panic(stopped)
		}
		fault = errors.Join(trial.faults...)
	}()
	check(&tenant{Store: m.Store, Assertions: require.New(trial), t: trial})
	return nil
}

// trial is a tester whose failure can be taken back.
type trial struct {
	t      tester
	faults []error
}

func (t *trial) Errorf(format string, args ...any) {
	t.faults = append(t.faults, fmt.Errorf(format, args...))
}
func (t *trial) FailNow()                 { panic(t) }
func (t *trial) Helper()                  { t.t.Helper() }
func (t *trial) Context() context.Context { return t.t.Context() }
