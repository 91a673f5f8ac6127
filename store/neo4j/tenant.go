package neo4j

import (
	"context"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/notices"
	"mneme/store/neo4j/passages"
	"mneme/store/neo4j/settings"
)

// tenantStore is the memory of one tenant.
type tenantStore struct {
	*bolt.Tenant
	*settings.Settings
	*passages.Finder
	*learning.Learner
	*notices.Reader

	backend *Backend
	// marked is the length of embeddings without which passages were marked as due.
	marked atomic.Int64

	// gathered are the reads of single episodes, by the parts that come along.
	gathered [store.Context | store.HeadOnly | store.Brief + 1]bolt.Crew[string, *bolt.Row[*memory.Episode]]
	// What clients record one by one, many at a time.
	episodes bolt.Crew[store.EpisodeRecord, store.Recorded]
	actions  bolt.Crew[store.CanvasActionRecord, store.Recorded]
	feedback bolt.Crew[store.FeedbackRecord, store.Recorded]
}

// What goes together in a round trip, and how many of these there are at once: while some transactions commit, or wait
// for a lock that a deletion has, others go on.
const (
	maxGathered, gatheredAtOnce, readsInReserve = 100, 8, 3
	gatheringTime                               = 30 * time.Second
	maxJoined, joinedAtOnce                     = 200, 4
)

func newTenantStore(b *Backend, tenant string) *tenantStore {
	bound := &bolt.Tenant{Connection: b.connection, TenantID: tenant}
	kept := &settings.Settings{Tenant: bound}
	s := &tenantStore{
		Tenant: bound, Settings: kept, Learner: &learning.Learner{Tenant: bound},
		Finder:  &passages.Finder{Settings: kept, Made: b.vectors},
		Reader:  &notices.Reader{Tenant: bound},
		backend: b,
	}
	for parts := range s.gathered {
		gathered := &s.gathered[parts]
		gathered.Do, gathered.Most, gathered.AtOnce = s.gather(store.Parts(parts)), maxGathered, gatheredAtOnce
		gathered.Reserve, gathered.Within = readsInReserve, gatheringTime
	}
	join(s, &s.episodes, (*transaction).recordEpisodes)
	join(s, &s.actions, linked(linking.RecordCanvasActions))
	join(s, &s.feedback, linked(linking.RecordFeedback))
	return s
}

// join lets what is recorded at the same time go together.
func join[R any](s *tenantStore, crew *bolt.Crew[R, store.Recorded], record func(t *transaction, records []R) ([]store.Recorded, error)) {
	crew.Do, crew.Most, crew.AtOnce = recording(s, record), maxJoined, joinedAtOnce
}

// transaction is a write transaction of a tenant that is under way.
type transaction struct {
	graph.Links

	store *tenantStore
	// inputKey is the one that this transaction gave to the tenant.
	inputKey []byte
	// fixedLength is the tenant's vector length, where this transaction asked for it.
	fixedLength int
}

// nodes are the parameters of a statement that creates nodes of a kind: rows of their properties, their
// passages, and the notice of those of which there is one.
func (t *transaction) nodes(kind memory.Kind, rows []cypher.Parameters, said []passages.Record) cypher.Parameters {
	for i := range said {
		said[i].Properties = rows[i]
	}
	values := cypher.Parameters{"rows": rows, "passages": passages.Rows(kind, said, t.store.making())}
	switch kind {
	case memory.KindEpisode, memory.KindFeedback, memory.KindVerdict:
		values["notice"] = graph.Noticed(kind, rows)
	}
	return values
}

// write is ExecuteWrite for work of this package.
func (s *tenantStore) write(ctx context.Context, work func(t *transaction) error) error {
	var done *transaction
	err := s.ExecuteWrite(ctx, func(t *bolt.Transaction) error {
		done = &transaction{Links: graph.Links{Transaction: t}, store: s}
		return work(done)
	})
	if err == nil && done.fixedLength > 0 {
		s.KeepLength(done.fixedLength)
	}
	s.Wrote()
	return err
}

// written gives what work answers that writes.
func written[T any](ctx context.Context, s *tenantStore, work func(t *transaction) (T, error)) (answer T, err error) {
	err = s.write(ctx, func(t *transaction) (err error) {
		answer, err = work(t)
		return err
	})
	return answer, err
}

// recording makes a write of a function that records within a transaction.
func recording[R any](
	s *tenantStore, record func(t *transaction, records []R) ([]store.Recorded, error),
) func(context.Context, []R) ([]store.Recorded, error) {
	return func(ctx context.Context, records []R) ([]store.Recorded, error) {
		return written(ctx, s, func(t *transaction) ([]store.Recorded, error) { return record(t, records) })
	}
}

var _ store.Store = (*tenantStore)(nil)

// fixVectorLength gives the length that the tenant's vectors have, which is the given one where there
// are none so far. Where it cannot be read it fixes another: that of most, else the given one.
func (t *transaction) fixVectorLength(length int) (int, error) {
	if known := max(t.fixedLength, t.store.KnownLength()); known > 0 {
		return known, nil
	}
	fixed, err := bolt.FirstOf(t.Transaction, cypher.Named("fix_vector_length"), cypher.Parameters{"length": length}, bolt.AnyColumn("length"))
	if t.fixedLength = settings.SoundLength(fixed); t.fixedLength > 0 || err != nil {
		return t.fixedLength, err
	}
	t.fixedLength = length
	if err := t.Run(settings.Prevailing, cypher.Parameters{"preferred": length}, func(f *bolt.Fields) { t.fixedLength = f.Integer("length") }); err != nil {
		return 0, err
	}
	return t.fixedLength, settings.Set(t.Transaction, settings.VectorLengthProperty, t.fixedLength)
}
