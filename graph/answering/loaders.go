// Package answering holds the tenant and the loaders of a response. Loaders gather what its fields ask for at the same
// time, so that a field of a hundred records costs one call of the service.
package answering

import (
	"context"
	"sync"
	"time"

	"github.com/vikstrous/dataloadgen"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// Loaders are the loaders of one response, or of one field of a mutation: they remember what they have read, so they
// must not outlive a write.
type Loaders struct {
	Agents    *loader[string, *memory.Agent]
	Episodes  *loader[EpisodeRef, *memory.Episode]
	Canvases  *loader[string, *memory.Canvas]
	TaskTypes *loader[string, []string]
	Linked    *loader[LinkRef, *reading.Page[*memory.Episode]]
	linkTotal *loader[LinkRef, int]

	Memoirs   *loader[string, *memory.Memoir]
	Concepts  *loader[string, *memory.Concept]
	Relations *loader[RelationsRef, []*memory.Relation]
	Mentioned *loader[string, []*memory.Concept] // by the key of the episode that mentions them
	Records   *loader[RecordRef, memory.Node]    // of any kinds

	Consistency *loader[string, *float64]                  // by the key of an agent
	Profiles    *loader[string, []*memory.LearningProfile] // by the key of their agent
	Runs        *loader[string, *memory.Run]
	Sections    *loader[string, *memory.Section]
	RunSections *loader[string, []*memory.Section] // by the key of their run
	Verdicts    *loader[string, *memory.Verdict]
}

// loader reads values by key, many at a time, each once.
type loader[K comparable, V any] = dataloadgen.Loader[K, V]

// Gathering is how long a loader waits for more keys before it reads, unless With is told otherwise. It is long enough
// for a page of records to be looked at, and short beside a read.
const Gathering = 2 * time.Millisecond

// newLoader makes a loader of a read that answers in the order of the keys.
func newLoader[K comparable, V any](gathering time.Duration, read func(context.Context, []K) ([]V, error)) *loader[K, V] {
	return dataloadgen.NewLoader(func(ctx context.Context, keys []K) ([]V, []error) {
		values, err := read(ctx, keys)
		if err != nil {
			return nil, []error{err} // for all keys
		}
		return values, nil
	}, dataloadgen.WithWait(gathering))
}

// EpisodeRef is an episode by key, with what is to come along, as of an instant where that is not zero.
type EpisodeRef struct {
	Key     string
	Include boundary.Include
	AsOf    time.Time
}

// RecordRef is a record by its global id. HeadOnly is as in boundary.Include.
type RecordRef struct {
	ID       string
	HeadOnly bool
}

// LinkRef is a page of the episodes that one episode is linked to, as of an instant where that is not zero.
type LinkRef struct {
	Key  string
	Link memory.EpisodeLink
	AsOf time.Time
	// First is the size of the page, the usual one where it is DefaultFirst. After is its cursor, none where empty.
	First int
	After string
	// HeadOnly is as in boundary.Include.
	HeadOnly bool
}

// DefaultFirst stands for a size of a page that is left out.
const DefaultFirst = -1 << 31

// newLoaders makes the loaders of one response.
func newLoaders(tenant *service.Tenant, wait time.Duration) *Loaders {
	l := &Loaders{
		Agents:    newLoader(wait, tenant.Agents.ByKey),
		Canvases:  newLoader(wait, service.ByKey[memory.Canvas](tenant, memory.KindCanvas)),
		TaskTypes: newLoader(wait, ordered(tenant.Agents.TaskTypes)),
		Episodes: newLoader(wait, func(ctx context.Context, refs []EpisodeRef) ([]*memory.Episode, error) {
			return grouped(refs,
				func(r EpisodeRef) (EpisodeRef, string) { return EpisodeRef{Include: r.Include, AsOf: r.AsOf}, r.Key },
				func(how EpisodeRef, keys []string) ([]*memory.Episode, error) {
					return tenant.Episodes.ByKey(ctx, keys, how.Include, instant(how.AsOf))
				})
		}),
		Linked: newLoader(wait, linked(tenant)),
		linkTotal: newLoader(wait, func(ctx context.Context, refs []LinkRef) ([]int, error) {
			return grouped(refs,
				func(r LinkRef) (LinkRef, string) { return LinkRef{Link: r.Link, AsOf: r.AsOf}, r.Key },
				func(link LinkRef, keys []string) ([]int, error) {
					return ordered(func(ctx context.Context, keys []string) (map[string]int, error) {
						return tenant.Episodes.CountLinked(ctx, keys, link.Link, instant(link.AsOf))
					})(ctx, keys)
				})
		}),

		Memoirs:   newLoader(wait, service.ByKey[memory.Memoir](tenant, memory.KindMemoir)),
		Concepts:  newLoader(wait, service.ByKey[memory.Concept](tenant, memory.KindConcept)),
		Mentioned: newLoader(wait, ordered(tenant.Knowledge.Mentioned)),
		Records: newLoader(wait, func(ctx context.Context, refs []RecordRef) ([]memory.Node, error) {
			return grouped(refs, func(r RecordRef) (bool, string) { return r.HeadOnly, r.ID }, func(head bool, ids []string) ([]memory.Node, error) {
				return tenant.Retrieval.Records(ctx, ids, boundary.Include{HeadOnly: head})
			})
		}),
		Relations: newLoader(wait, relations(tenant)),

		Profiles:    newLoader(wait, ordered(tenant.Learning.AgentProfiles)),
		Consistency: newLoader(wait, ordered(tenant.Learning.Consistency)),
		Runs:        newLoader(wait, service.ByKey[memory.Run](tenant, memory.KindRun)),
		Sections:    newLoader(wait, service.ByKey[memory.Section](tenant, memory.KindSection)),
		RunSections: newLoader(wait, ordered(tenant.Judging.RunSections)),
		Verdicts:    newLoader(wait, service.ByKey[memory.Verdict](tenant, memory.KindVerdict)),
	}
	return l
}

// linked reads pages of links. A cursor belongs to the list of one episode, so pages that begin after one are read one
// by one.
func linked(tenant *service.Tenant) func(context.Context, []LinkRef) ([]*reading.Page[*memory.Episode], error) {
	return func(ctx context.Context, refs []LinkRef) ([]*reading.Page[*memory.Episode], error) {
		return grouped(refs,
			func(r LinkRef) (LinkRef, string) {
				group := r
				if r.After == "" {
					group.Key = ""
				}
				return group, r.Key
			},
			func(link LinkRef, keys []string) ([]*reading.Page[*memory.Episode], error) {
				pages, err := ordered(func(ctx context.Context, keys []string) (map[string]*reading.Page[*memory.Episode], error) {
					return tenant.Episodes.Linked(ctx, keys, link.Link, link.page(), instant(link.AsOf), boundary.Include{HeadOnly: link.HeadOnly})
				})(ctx, keys)
				for i, page := range pages {
					list := LinkRef{Key: keys[i], Link: link.Link, AsOf: link.AsOf}
					page.Total = func(ctx context.Context) (int, error) { return From(ctx).linkTotal.Load(ctx, list) }
				}
				return pages, err
			})
	}
}

func (r LinkRef) page() reading.PageInput {
	var page reading.PageInput
	if r.First != DefaultFirst {
		page.First = &r.First
	}
	if r.After != "" {
		page.After = &r.After
	}
	return page
}

// instant is nil, which means now, for the zero time.
func instant(asOf time.Time) *time.Time {
	if asOf.IsZero() {
		return nil
	}
	return &asOf
}

type contextKey struct{}

// With gives a context a tenant and loaders of its own, which gather keys for so long. Loaders are made at their first
// use: most responses use none.
func With(ctx context.Context, tenant *service.Tenant, gathering time.Duration) context.Context {
	return context.WithValue(ctx, contextKey{}, &lazy{tenant: tenant, wait: gathering})
}

// Anew gives a context loaders that have read nothing.
func Anew(ctx context.Context) context.Context {
	l := of(ctx)
	return With(ctx, l.tenant, l.wait)
}

type lazy struct {
	tenant  *service.Tenant
	wait    time.Duration
	once    sync.Once
	loaders *Loaders
}

// From gives the context's loaders.
func From(ctx context.Context) *Loaders {
	l := of(ctx)
	l.once.Do(func() { l.loaders = newLoaders(l.tenant, l.wait) })
	return l.loaders
}

// Tenant gives the context's tenant.
func Tenant(ctx context.Context) *service.Tenant { return of(ctx).tenant }
func of(ctx context.Context) *lazy {
	return ctx.Value(contextKey{}).(*lazy) //nolint:forcetypeassert // every response has loaders; see With
}

// ordered turns a read by key into one in the order of the keys.
func ordered[V any](read func(context.Context, []string) (map[string]V, error)) func(context.Context, []string) ([]V, error) {
	return func(ctx context.Context, keys []string) ([]V, error) {
		byKey, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		values := memory.Mapped(keys, func(key string) V { return byKey[key] })
		return values, nil
	}
}

// grouped reads references that differ in more than their key, with one read for each group that does
// not, and answers in the order of the references.
func grouped[R any, G comparable, V any](refs []R, split func(R) (G, string), read func(G, []string) ([]V, error)) ([]V, error) {
	places := map[G][]int{}
	keys := map[G][]string{}
	for i, ref := range refs {
		group, key := split(ref)
		places[group] = append(places[group], i)
		keys[group] = append(keys[group], key)
	}
	values := make([]V, len(refs))
	for group, wanted := range keys {
		found, err := read(group, wanted)
		if err != nil {
			return nil, err
		}
		for i, place := range places[group] {
			values[place] = found[i]
		}
	}
	return values, nil
}
