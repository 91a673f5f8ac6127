package service_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// patient is a backend with faults, of which each hides the next.
type patient struct {
	store.Backend
	faults []string
	// incurable is what mending ends with.
	incurable error
	// stays says that mending says it went well, and changes nothing.
	stays    bool
	err      error
	examined int
	mended   int
}

func (p *patient) Examine(context.Context) ([]store.Finding, error) {
	p.examined++
	if len(p.faults) == 0 {
		return []store.Finding{{Part: "all", Found: "whole"}}, p.err
	}
	return []store.Finding{{Tenant: "t", Part: "all", Fault: p.faults[0], Remedy: "Mend it.", Mend: func(context.Context) error {
		p.mended++
		if p.incurable == nil && !p.stays {
			p.faults = p.faults[1:]
		}
		return p.incurable
	}}}, p.err
}

func TestExamineMendsOnlyWhereAsked(t *testing.T) {
	t.Parallel()
	p := &patient{faults: []string{"first", "second"}}
	svc := service.New(p)
	found, err := svc.Examine(t.Context(), false)
	require.NoError(t, err)
	assert.Equal(t, &service.Examination{
		Findings: []service.Finding{{Tenant: "t", Part: "all", Fault: "first", Remedy: "Mend it.", Mendable: true}},
		Mended:   []service.Mending{},
	}, found)
	assert.Equal(t, 1, p.examined)

	found, err = svc.Examine(t.Context(), true)
	require.NoError(t, err)
	assert.Equal(t, []service.Finding{{Part: "all", Found: "whole"}}, found.Findings)
	assert.Equal(t, []service.Mending{{Tenant: "t", Part: "all", Fault: "first"}, {Tenant: "t", Part: "all", Fault: "second"}}, found.Mended)
}

func TestExamineTellsWhatCouldNotBeMended(t *testing.T) {
	t.Parallel()
	found, err := service.New(&patient{faults: []string{"first"}, incurable: errors.New("too late")}).Examine(t.Context(), true)
	require.NoError(t, err)
	assert.Equal(t, []service.Mending{{Tenant: "t", Part: "all", Fault: "first", Error: "too late"}}, found.Mended)
	assert.Equal(t, "first", found.Findings[0].Fault)
}

// What mending leaves as it was is not called mended.
func TestExamineTellsWhatStays(t *testing.T) {
	t.Parallel()
	stubborn := &patient{faults: []string{"first"}, stays: true}
	found, err := service.New(stubborn).Examine(t.Context(), true)
	require.NoError(t, err)
	assert.Equal(t, []service.Mending{{Tenant: "t", Part: "all", Fault: "first", Error: "it is still there"}}, found.Mended)
	assert.Equal(t, 1, stubborn.mended, "it would stay again")
	assert.Equal(t, "first", found.Findings[0].Fault)
}

// The words of a fault count what it is about: of one that shrinks, what is left is not called mended.
func TestExamineTellsWhatIsLeft(t *testing.T) {
	t.Parallel()
	p := &patient{faults: []string{"9 of 9", "5 of 9", "3 of 9", "1 of 9"}}
	found, err := service.New(p).Examine(t.Context(), true)
	require.NoError(t, err)
	assert.Equal(t, "1 of 9", found.Findings[0].Fault)
	require.Len(t, found.Mended, 3)
	for _, mending := range found.Mended {
		assert.Equal(t, "this part still has a fault", mending.Error)
	}
}

func TestExamineOfAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	_, err := service.New(&patient{err: store.ErrUnavailable}).Examine(t.Context(), true)
	var known *memory.Error
	require.ErrorAs(t, err, &known)
	assert.Equal(t, memory.CodeUnavailable, known.Code)
}
