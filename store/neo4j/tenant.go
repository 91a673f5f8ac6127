package neo4j

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"mneme/store"
)

// tenantStore is the memory of one tenant.
type tenantStore struct {
	backend *Backend
	tenant  string

	// Both are written once per tenant, so a process asks for them once.
	inputKey     atomic.Pointer[[]byte]
	vectorLength atomic.Int64
	// sample tells of the tenant's episodes where there are many; sampling is held while another is taken.
	sample   atomic.Pointer[sample]
	sampling sync.Mutex
	written  atomic.Int64 // episodes that this process recorded
	// gathered are the reads of single episodes, by the parts that come along.
	gathered [store.WithAgent | store.WithCanvases | store.WithFeedback + 1]gatherer[*gathered]
	// What clients record one by one, many at a time.
	episodes joiner[store.EpisodeRecord]
	actions  joiner[store.CanvasActionRecord]
	feedback joiner[store.FeedbackRecord]
}

func newTenantStore(b *Backend, tenant string) *tenantStore {
	s := &tenantStore{backend: b, tenant: tenant}
	for parts := range s.gathered {
		s.gathered[parts].ask = func(ctx context.Context, keys []string) ([]*gathered, error) {
			query := store.EpisodesByKey{Keys: keys, Parts: store.Parts(parts)}
			return steady(ctx, func() ([]*gathered, error) {
				return readEpisodes(ctx, s, query, gatheredDecoder(query.Parts), func(g *gathered) string { return g.key })
			}, (*gathered).fault)
		}
	}
	s.episodes.write = recordingIn(s, (*transaction).recordEpisodes)
	s.actions.write = recordingIn(s, (*transaction).recordCanvasActions)
	s.feedback.write = recordingIn(s, (*transaction).recordFeedback)
	return s
}

// recordingIn makes a write of a function that records within a transaction.
func recordingIn[R any](
	s *tenantStore, record func(t *transaction, records []R) ([]store.Recorded, error),
) func(context.Context, []R) ([]store.Recorded, error) {
	return func(ctx context.Context, records []R) ([]store.Recorded, error) {
		var recorded []store.Recorded
		err := s.write(ctx, func(t *transaction) (err error) {
			recorded, err = record(t, records)
			return err
		})
		if err != nil {
			return nil, err
		}
		return recorded, nil
	}
}

var (
	_ store.Store     = (*tenantStore)(nil)
	_ store.Knowledge = (*tenantStore)(nil)
	_ store.Learning  = (*tenantStore)(nil)
	_ store.Judged    = (*tenantStore)(nil)
)

// query is one that reads this tenant.
func (s *tenantStore) query(asked statement, values parameters) query {
	if values == nil {
		values = parameters{}
	}
	values["tenant"] = s.tenant
	return query{statement: asked, parameters: values, within: readTime}
}

// InputKey returns the tenant's secret; see store.Store.
func (s *tenantStore) InputKey(ctx context.Context) ([]byte, error) {
	if key := s.inputKey.Load(); key != nil && ctx.Err() == nil {
		return *key, nil
	}
	var key []byte
	err := s.write(ctx, func(t *transaction) (err error) {
		key, err = t.tenantKey()
		return err
	})
	if err != nil {
		return nil, err
	}
	s.inputKey.Store(&key)
	return key, nil
}

// VectorLength is the length of the tenant's embeddings, as it was fixed; where that cannot be read, the length that
// most have. See store.Recaller.
func (s *tenantStore) VectorLength(ctx context.Context) (int, error) {
	if length := s.vectorLength.Load(); length > 0 {
		return int(length), nil
	}
	q := s.query(named("vector_length"), nil)
	fixed, err := one(ctx, s.backend, q, anyColumn("length"))
	length := soundLength(fixed)
	if err == nil && length == 0 && fixed != nil {
		length, err = s.lengthOfMost(ctx)
	}
	if err == nil && length > 0 {
		s.vectorLength.Store(int64(length))
	}
	return length, err
}

// missingIndex ends a transaction that would write the first vector of a length.
type missingIndex struct{ length int }

func (m *missingIndex) Error() string {
	return fmt.Sprintf("no index for vectors of length %d yet", m.length)
}

// fixVectorLength gives the length that the tenant's vectors have, which is the given one where there
// are none so far.
func (t *transaction) fixVectorLength(length int) (int, error) {
	if known := max(t.fixedLength, int(t.vectorLength.Load())); known > 0 {
		return known, nil
	}
	if _, ready := t.backend.indexed.Load(length); !ready {
		fixed, err := rowsOf(t, named("vector_length"), nil, anyColumn("length"))
		switch {
		case err != nil:
			return 0, err
		case len(fixed) == 0 || fixed[0] == nil:
			return 0, &missingIndex{length: length}
		}
		return t.takeLength(fixed[0], length)
	}
	fixed, err := rowsOf(t, named("fix_vector_length"), parameters{"length": length}, anyColumn("length"))
	if err != nil || len(fixed) == 0 {
		return 0, err
	}
	return t.takeLength(fixed[0], length)
}

// takeLength takes the length that was fixed, or where that cannot be read fixes another.
func (t *transaction) takeLength(fixed any, length int) (_ int, err error) {
	if t.fixedLength = soundLength(fixed); t.fixedLength == 0 {
		t.fixedLength, err = t.lengthAnew(length)
	}
	return t.fixedLength, err
}
