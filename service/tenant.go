package service

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/events"
	"mneme/store"
)

// DefaultTenant is whose memory a request works on unless its context names another.
const DefaultTenant = access.DefaultTenant

// WithTenant names whose memory is worked on by somebody who may all with it, as whoever has the store may. Doors for
// others say with access.With who asks. An empty id is that of DefaultTenant.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return access.With(ctx, access.Caller{Tenant: cmp.Or(tenant, DefaultTenant), Role: access.Admin})
}

// CheckTenant refuses what cannot be the id of a tenant.
func CheckTenant(id string) error {
	if !store.TenantID.MatchString(id) {
		return memory.Invalid("tenant", "must be 1–64 characters of a–z, 0–9, '-' and '_', starting with a letter or digit")
	}
	return nil
}

// Tenant is one tenant's memory: what can be done with it, in groups. It is valid until the backend is closed, and
// safe for concurrent use.
type Tenant struct {
	*tenant
	Episodes  *Episodes
	Reactions *Reactions
	Agents    *Agents
	Knowledge *Knowledge
	Learning  *Learning
	Judging   *Judging
	Retrieval *Retrieval
	Traces    *Traces
	Upkeep    *Upkeep
	Transfer  *Transfer
	Live      *Live
}

// tenant is what the groups of a tenant share.
type tenant struct {
	*settings
	shared   sharedStore
	key      atomic.Pointer[inputKey]
	accesses *accesses
	traces   *sweeper
	// used says that somebody bound it since old events were trimmed.
	used atomic.Bool
	// asked says so since it was asked what waits, and waits what that was then.
	asked   atomic.Bool
	backlog atomic.Pointer[store.Backlog]
}

// sharedStore is what every group needs of the store: the key by which inputs are known again, whether a record is
// there under an older spelling, imports, and the length of vectors.
type sharedStore interface {
	InputKey(ctx context.Context) ([]byte, error)
	Exist(ctx context.Context, ids []string) ([]bool, error)
	Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error)
	VectorLength(ctx context.Context) (int, error)
}

// inputKey is the secret that hashes a tenant's inputs, or why it is lost, which hinders only what needs it.
type inputKey struct {
	secret []byte
	lost   error
}

// Tenant binds the tenant of whoever asks by a context (see access.Of), for as many calls as are made in
// its name. It is bound once for a request, by whoever lets the request in.
func (s *Service) Tenant(ctx context.Context) (*Tenant, error) {
	id := access.Of(ctx).Tenant
	if known, ok := s.tenants.Load(id); ok {
		t := known.(*Tenant) //nolint:forcetypeassert // the map holds nothing else
		t.used.Store(true)
		t.asked.Store(true)
		return t, t.findKey(ctx)
	}
	bound, err := s.backend.Tenant(ctx, id)
	if err != nil {
		return nil, fault("the tenant", err)
	}
	fresh := s.newTenant(id, bound)
	if err := fresh.findKey(ctx); err != nil {
		return nil, err
	}
	t, _ := s.tenants.LoadOrStore(id, fresh)
	return t.(*Tenant), nil //nolint:forcetypeassert // the map holds nothing else
}

func (s *Service) newTenant(id string, bound store.Store) *Tenant {
	t := &tenant{settings: &s.settings, shared: bound, accesses: newAccesses(bound.AddAccesses, s.clock, s.log)}
	t.key.Store(&inputKey{})
	t.asked.Store(true)
	traces := &Traces{t, bound}
	t.traces = newSweeper(traces.sweep, s.waits.Quiet/2, s.log)
	learning := &Learning{t, bound}
	feed := events.NewFeed(bound, func(err error) error { return fault("the event", err) }, s.log, s.events)
	return &Tenant{
		tenant: t, Episodes: &Episodes{t, bound}, Reactions: &Reactions{t, bound}, Agents: &Agents{t, bound},
		Knowledge: &Knowledge{t, bound}, Learning: learning, Judging: &Judging{t, bound},
		Retrieval: &Retrieval{t, bound}, Traces: traces, Upkeep: &Upkeep{t, bound, id, s.backend}, Transfer: &Transfer{t, bound},
		Live: (&Live{tenant: t, feed: feed, learning: learning, store: bound}).watched(),
	}
}

// findKey reads the input key where there is none so far. One that was lost may have been mended meanwhile.
func (t *tenant) findKey(ctx context.Context) error {
	was := t.key.Load()
	if was.secret != nil {
		return nil
	}
	secret, err := t.shared.InputKey(ctx)
	var damaged *store.Damaged
	if errors.As(err, &damaged) {
		t.key.CompareAndSwap(was, &inputKey{lost: err}) // one that came with an import meanwhile stays
		return nil
	}
	if err == nil {
		t.key.CompareAndSwap(was, &inputKey{secret: secret})
	}
	return fault("the tenant", err)
}

// keyed is the error of what cannot be done without the input key; nil where there is one.
func (t *tenant) keyed() error { return fault("the tenant", t.key.Load().lost) }
