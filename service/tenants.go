package service

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/events"
	"mneme/service/faults"
	"mneme/service/knowledge"
	"mneme/service/learning"
	"mneme/service/live"
	"mneme/service/recalling"
	"mneme/service/recording"
	"mneme/service/tenancy"
	"mneme/service/traces"
	"mneme/service/upkeep"
	"mneme/service/verdicts"
	"mneme/store"
)

// Tenant is one tenant's memory: what can be done with it, in groups. It is valid until the backend is closed, and
// safe for concurrent use.
type Tenant struct {
	tenant    *tenancy.Tenant
	feed      *events.Feed
	Episodes  *recording.Episodes
	Reactions *recording.Reactions
	Agents    *recording.Agents
	Knowledge *knowledge.Knowledge
	Learning  *learning.Learning
	Judging   *verdicts.Judging
	Retrieval *recalling.Retrieval
	Traces    *traces.Traces
	Upkeep    *upkeep.Upkeep
	Live      *live.Live

	// embedding says that what is written gets the vectors of the embedder in the background.
	embedding atomic.Bool
	// used says that somebody bound it since old events were trimmed.
	used atomic.Bool
	// asked says that somebody bound it since it was asked what waits, and backlog is what waited then.
	asked   atomic.Bool
	backlog atomic.Pointer[store.Backlog]
}

// Tenant binds the tenant of whoever asks by a context (see access.Of), for as many calls as are made in
// its name. It is bound once for a request, by whoever lets the request in, and is in use until that context ends: what
// nobody uses is closed sooner or later, and then bound anew.
func (s *Service) Tenant(ctx context.Context) (*Tenant, error) {
	id := access.Of(ctx).Tenant
	t := s.tenants.use(ctx, s.settings.Now, id)
	if t == nil {
		bound, err := s.backend.Tenant(ctx, id)
		if err != nil {
			return nil, faults.Of("the tenant", err)
		}
		t = s.tenants.keep(ctx, s.settings.Now, id, s.newTenant(id, bound))
	}
	t.used.Store(true)
	t.asked.Store(true)
	s.embedBeside(id, t)
	return s.as(access.Of(ctx), t), nil
}

func (s *Service) newTenant(id string, bound store.Store) *Tenant {
	feed := events.NewFeed(bound, s.settings.Log, s.settings.Events)
	t := s.groups(id, tenancy.New(s.settings.Settings, bound), feed)
	t.Live.Watch(s.settings.Looks)
	t.tenant.Work(t.Traces.Finish)
	return t
}

func (s *Service) groups(id string, t *tenancy.Tenant, feed *events.Feed) *Tenant {
	learning := learning.New(t)
	return &Tenant{
		tenant: t, feed: feed, Episodes: recording.NewEpisodes(t), Reactions: recording.NewReactions(t), Agents: recording.NewAgents(t), Knowledge: knowledge.New(t),
		Learning: learning, Judging: verdicts.New(t), Retrieval: recalling.New(t), Traces: traces.New(t),
		Upkeep: upkeep.New(t, id, s.backend), Live: live.New(t, feed, learning),
	}
}

// as is the tenant as a caller sees it: the holder of a key that is bound to a user sees nothing of another.
func (s *Service) as(caller access.Caller, t *Tenant) *Tenant {
	if caller.User == "" {
		return t
	}
	return s.groups(caller.Tenant, t.tenant.OfUser(caller.User), t.feed)
}

// rests says that nothing of a tenant waits for this process.
func (t *Tenant) rests() bool {
	waits := t.backlog.Load()
	return t.tenant.Rests() && (waits == nil || *waits == Backlog{})
}

// ByKey reads records of a kind in the order of the keys, nil where there is none. No observation counts as accessed.
func ByKey[T any](t *Tenant, kind memory.Kind) func(context.Context, []string) ([]*T, error) {
	return func(ctx context.Context, keys []string) ([]*T, error) {
		records, err := store.Get[T](ctx, t.tenant.Store, keys)
		return records, faults.Of("the "+string(kind), err)
	}
}

// NotFound is the error of a record that does not exist, by the name the caller gave it: shortened and redacted.
func (t *Tenant) NotFound(ctx context.Context, field, subject, name string) *memory.Error {
	return t.tenant.NotFound(ctx, field, subject, name)
}

// tenantIdle is how long a tenant is kept in memory that nobody uses.
const tenantIdle = 10 * time.Minute

// tenants are those in memory: who is in use or has something to do in the background, and those that were lately.
type tenants struct {
	mu   sync.Mutex
	byID map[string]*keptTenant
}

// keptTenant is a tenant in memory.
type keptTenant struct {
	*Tenant
	users int       // contexts that have not ended
	since time.Time // when the last of them ended
}

// use gives a tenant that is kept, for as long as a context lasts; nil where it is not.
func (ts *tenants) use(ctx context.Context, now func() time.Time, id string) *Tenant {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if kept := ts.byID[id]; kept != nil {
		return ts.usedBy(ctx, now, kept)
	}
	return nil
}

// isUsed says whether a tenant is in use, or was since a time.
func (ts *tenants) isUsed(id string, since time.Time) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	kept := ts.byID[id]
	return kept != nil && (kept.users > 0 || kept.since.After(since))
}

// usedBy counts a context among the users of a tenant until it ends; ts.mu is held.
func (ts *tenants) usedBy(ctx context.Context, now func() time.Time, kept *keptTenant) *Tenant {
	kept.users++
	context.AfterFunc(ctx, func() {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		kept.users--
		kept.since = now()
	})
	return kept.Tenant
}

// quiet are those in memory that nobody has used since a time.
func (ts *tenants) quiet(since time.Time) (ids []string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for id, kept := range ts.byID {
		if kept.users == 0 && !kept.since.After(since) {
			ids = append(ids, id)
		}
	}
	return ids
}

// keep is use of a tenant that is kept from now on, unless another was faster.
func (ts *tenants) keep(ctx context.Context, now func() time.Time, id string, fresh *Tenant) *Tenant {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byID[id] == nil {
		ts.byID[id] = &keptTenant{Tenant: fresh}
	}
	return ts.usedBy(ctx, now, ts.byID[id])
}

// letGo takes out those that rest since a time.
func (ts *tenants) letGo(since time.Time) (gone []*Tenant) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for id, kept := range ts.byID {
		if kept.users == 0 && kept.rests() && !kept.since.After(since) {
			gone = append(gone, kept.Tenant)
			delete(ts.byID, id)
		}
	}
	return gone
}

// all are those that are kept.
func (ts *tenants) all() []*Tenant {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	all := make([]*Tenant, 0, len(ts.byID))
	for _, kept := range ts.byID {
		all = append(all, kept.Tenant)
	}
	return all
}

// CloseIdle closes the tenants that nobody has used for a while. Who uses one again binds it anew.
func (s *Service) CloseIdle(ctx context.Context) {
	for _, t := range s.tenants.letGo(s.settings.Now().Add(-s.settings.TenantIdle)) {
		s.trim(ctx, t)
		if err := t.close(ctx); err != nil {
			s.settings.Log.WarnContext(ctx, "the latest accesses of observations were not counted", "error", err)
		}
	}
}

// TrimEvents forgets events older than is promised, of the tenants that were used since this was done last.
func (s *Service) TrimEvents(ctx context.Context) {
	for _, t := range s.tenants.all() {
		if s.trim(ctx, t); ctx.Err() != nil {
			return
		}
	}
}

func (s *Service) trim(ctx context.Context, t *Tenant) {
	if !t.used.Swap(false) {
		return
	}
	if err := t.tenant.Store.TrimNotices(ctx, s.settings.Clock().Add(-store.NoticesKept)); err != nil && ctx.Err() == nil {
		s.settings.Log.WarnContext(ctx, "old events were not trimmed; they wait for the next time", "error", err)
	}
}

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
