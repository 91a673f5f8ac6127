// Package answering holds the tenant and the loaders of a response. Loaders gather what its fields ask for at the same
// time, so that a field of a hundred records costs one call of the service.
package answering

import (
	"context"
	"strings"
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
	Episodes  *loader[Ref[Episode], *memory.Episode]
	Canvases  *loader[string, *memory.Canvas]
	TaskTypes *loader[string, []string]
	Linked    *loader[Ref[Links], *reading.Page[*memory.Episode]]
	linkTotal *loader[Ref[Links], int]

	Memoirs   *loader[string, *memory.Memoir]
	Concepts  *loader[string, *memory.Concept]
	Relations *loader[Ref[Relations], []*memory.Relation]
	Mentioned *loader[string, []*memory.Concept] // by the key of the episode that mentions them
	Records   *loader[Ref[Record], memory.Node]  // of any kinds, by global id

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

// Ref is a key, and how what it stands for is read. Those that are read alike are read together.
type Ref[How comparable] struct {
	Key string
	How How
}

// newGrouped makes a loader of references. Its read answers in the order of the keys.
func newGrouped[How comparable, V any](
	gathering time.Duration, read func(ctx context.Context, how How, keys []string) ([]V, error),
) *loader[Ref[How], V] {
	return newLoader(gathering, func(ctx context.Context, refs []Ref[How]) ([]V, error) {
		places, keys := map[How][]int{}, map[How][]string{}
		for i, ref := range refs {
			places[ref.How] = append(places[ref.How], i)
			keys[ref.How] = append(keys[ref.How], ref.Key)
		}
		values := make([]V, len(refs))
		for how, wanted := range keys {
			found, err := read(ctx, how, wanted)
			if err != nil {
				return nil, err
			}
			for i, place := range places[how] {
				values[place] = found[i]
			}
		}
		return values, nil
	})
}

// Episode is how episodes are read: with what is to come along, as of an instant where that is not zero.
type Episode struct {
	Include boundary.Include
	AsOf    time.Time
}

// Record is how records are read. HeadOnly is as in boundary.Include.
type Record struct{ HeadOnly bool }

// Links is how a page of the episodes that one is linked to is read, as of an instant where that is not zero.
type Links struct {
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
		Episodes: newGrouped(wait, func(ctx context.Context, how Episode, keys []string) ([]*memory.Episode, error) {
			return tenant.Episodes.ByKey(ctx, keys, how.Include, instant(how.AsOf))
		}),
		Linked: newGrouped(wait, linked(tenant)),
		linkTotal: newGrouped(wait, func(ctx context.Context, how Links, keys []string) ([]int, error) {
			counts, err := tenant.Episodes.CountLinked(ctx, keys, how.Link, instant(how.AsOf))
			return inOrder(keys, counts, err)
		}),

		Memoirs:   newLoader(wait, service.ByKey[memory.Memoir](tenant, memory.KindMemoir)),
		Concepts:  newLoader(wait, service.ByKey[memory.Concept](tenant, memory.KindConcept)),
		Mentioned: newLoader(wait, ordered(tenant.Knowledge.Mentioned)),
		Records: newGrouped(wait, func(ctx context.Context, how Record, ids []string) ([]memory.Node, error) {
			return tenant.Retrieval.Records(ctx, ids, boundary.Include{HeadOnly: how.HeadOnly})
		}),
		Relations: newGrouped(wait, func(ctx context.Context, how Relations, keys []string) ([][]*memory.Relation, error) {
			found, err := tenant.Knowledge.Relations(ctx, keys, how.Direction, how.of())
			return inOrder(keys, found, err)
		}),

		Profiles:    newLoader(wait, ordered(tenant.Learning.AgentProfiles)),
		Consistency: newLoader(wait, ordered(tenant.Learning.Consistency)),
		Runs:        newLoader(wait, service.ByKey[memory.Run](tenant, memory.KindRun)),
		Sections:    newLoader(wait, service.ByKey[memory.Section](tenant, memory.KindSection)),
		RunSections: newLoader(wait, ordered(tenant.Judging.RunSections)),
		Verdicts:    newLoader(wait, service.ByKey[memory.Verdict](tenant, memory.KindVerdict)),
	}
	return l
}

// linked reads pages of links. A cursor belongs to the list of one episode: for others it is refused.
func linked(tenant *service.Tenant) func(context.Context, Links, []string) ([]*reading.Page[*memory.Episode], error) {
	return func(ctx context.Context, how Links, keys []string) ([]*reading.Page[*memory.Episode], error) {
		pages, err := tenant.Episodes.Linked(ctx, keys, how.Link, how.page(), instant(how.AsOf), boundary.Include{HeadOnly: how.HeadOnly})
		for key, page := range pages {
			list := Ref[Links]{key, Links{Link: how.Link, AsOf: how.AsOf}}
			page.Total = func(ctx context.Context) (int, error) { return From(ctx).linkTotal.Load(ctx, list) }
		}
		return inOrder(keys, pages, err)
	}
}

func (r Links) page() reading.PageInput {
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
		return inOrder(keys, byKey, err)
	}
}

func inOrder[V any](keys []string, byKey map[string]V, err error) ([]V, error) {
	if err != nil {
		return nil, err
	}
	return memory.Mapped(keys, func(key string) V { return byKey[key] }), nil
}

// Relations is which relations of concepts are read.
type Relations struct {
	Direction memory.Direction
	types     string // joined; empty means all
}

// RelationsOf names the relations of a concept, of some types or, where there are none, of all.
func RelationsOf(key string, direction memory.Direction, types []memory.RelationType) Ref[Relations] {
	names := memory.Mapped(types, func(t memory.RelationType) string { return string(t) })
	return Ref[Relations]{key, Relations{direction, strings.Join(names, " ")}}
}

func (r Relations) of() []memory.RelationType {
	var types []memory.RelationType
	for name := range strings.FieldsSeq(r.types) {
		types = append(types, memory.RelationType(name))
	}
	return types
}
