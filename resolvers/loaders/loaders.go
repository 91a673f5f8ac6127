// Package loaders gathers the single reads of one response into batches, so that a field of a hundred
// records costs one call of the service.
package loaders

import (
	"context"
	"sync"
	"time"

	"github.com/vikstrous/dataloadgen"

	"mneme/memory"
	"mneme/service"
)

// wait is how long a batch gathers keys. All the elements of a list ask within a few hundred
// microseconds; a longer wait would only delay the answer.
const wait = time.Millisecond

// Loaders are the loaders of one response, or of one field of a mutation: what they have read they
// remember, so they must not outlive a write. Each is made when it is first used.
type Loaders struct {
	Agents    lazy[string, *memory.Agent]
	Episodes  lazy[EpisodeRef, *memory.Episode]
	Canvases  lazy[string, *memory.Canvas]
	TaskTypes lazy[string, []string]
	Linked    lazy[LinkRef, []*memory.Episode]
}

// EpisodeRef is an episode by key, with what is to come along.
type EpisodeRef struct {
	Key     string
	Include service.Include
}

// LinkRef is the episodes that one episode is linked to, as of an instant where that is not zero.
type LinkRef struct {
	Key  string
	Link service.EpisodeLink
	AsOf time.Time
}

// New makes the loaders of one response.
func New(svc *service.Service) *Loaders {
	l := &Loaders{}
	l.Agents.fetch = svc.AgentsByKey
	l.Canvases.fetch = svc.CanvasesByKey
	l.TaskTypes.fetch = mapped(svc.AgentTaskTypes)
	l.Episodes.fetch = func(ctx context.Context, refs []EpisodeRef) ([]*memory.Episode, error) {
		return grouped(refs,
			func(r EpisodeRef) (service.Include, string) { return r.Include, r.Key },
			func(include service.Include, keys []string) ([]*memory.Episode, error) {
				return svc.EpisodesByKey(ctx, keys, include)
			})
	}
	l.Linked.fetch = func(ctx context.Context, refs []LinkRef) ([][]*memory.Episode, error) {
		return grouped(refs,
			func(r LinkRef) (LinkRef, string) { return LinkRef{Link: r.Link, AsOf: r.AsOf}, r.Key },
			func(link LinkRef, keys []string) ([][]*memory.Episode, error) {
				return mapped(func(ctx context.Context, keys []string) (map[string][]*memory.Episode, error) {
					return svc.Linked(ctx, keys, link.Link, link.asOf())
				})(ctx, keys)
			})
	}
	return l
}

func (r LinkRef) asOf() *time.Time {
	if r.AsOf.IsZero() {
		return nil
	}
	return &r.AsOf
}

type contextKey struct{}

// With gives a context loaders of its own.
func With(ctx context.Context, svc *service.Service) context.Context {
	return context.WithValue(ctx, contextKey{}, sync.OnceValue(func() *Loaders { return New(svc) }))
}

// From gives the context's loaders.
func From(ctx context.Context) *Loaders {
	loaders := ctx.Value(contextKey{}).(func() *Loaders) //nolint:forcetypeassert // every response has loaders; see With
	return loaders()
}

// lazy is a loader that is made when it is first used, because most responses use none.
type lazy[K comparable, V any] struct {
	fetch  func(ctx context.Context, keys []K) ([]V, error)
	once   sync.Once
	loader *dataloadgen.Loader[K, V]
}

// Load reads one value, together with what else is asked for at about the same time.
func (l *lazy[K, V]) Load(ctx context.Context, key K) (V, error) {
	l.once.Do(func() {
		fetch := func(ctx context.Context, keys []K) ([]V, []error) {
			values, err := l.fetch(ctx, keys)
			if err != nil {
				return nil, []error{err}
			}
			return values, nil
		}
		l.loader = dataloadgen.NewLoader(fetch, dataloadgen.WithWait(wait))
	})
	return l.loader.Load(ctx, key)
}

// mapped turns a read by key into one in the order of the keys.
func mapped[V any](read func(context.Context, []string) (map[string]V, error)) func(context.Context, []string) ([]V, error) {
	return func(ctx context.Context, keys []string) ([]V, error) {
		byKey, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		values := make([]V, len(keys))
		for i, key := range keys {
			values[i] = byKey[key]
		}
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
