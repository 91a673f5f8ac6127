package recalling_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// vanishing is a backend whose observations are pruned between being found and being read.
type vanishing struct {
	store.Backend
	gone bool
}

func (v *vanishing) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := v.Backend.Tenant(ctx, id)
	return vanishingStore{bound, v}, err
}

type vanishingStore struct {
	store.Store
	backend *vanishing
}

// Get finds the last three observations only.
func (v vanishingStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	found, err := v.Store.Get(ctx, of, keys)
	if observations, ok := found.([]*memory.Observation); ok && v.backend.gone {
		for i, observation := range observations {
			if observation.Key < "o09" {
				observations[i] = nil
			}
		}
	}
	return found, err
}

// What is deleted while a search reads its page must not end the walk through the pages: the page goes on to
// what is there, and never says that more follows without a cursor to follow it by.
func TestSearchPagesPassOverWhatIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	vanishing := &vanishing{Backend: backend}
	svc := servicetest.Bind(t.Context(), t, service.New(vanishing))
	for i := range 12 {
		_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{
			ID: new(fmt.Sprintf("o%02d", i)), Content: "the lift is out of order",
		})
		require.NoError(t, err)
	}
	vanishing.gone = true
	seen := 0
	input := reading.PageInput{First: new(2)}
	for page := 0; ; page++ {
		require.Less(t, page, 10)
		found, err := svc.Retrieval.Search(t.Context(), "lift", []string{string(memory.KindObservation)}, boundary.UserFilter{}, input, boundary.Include{})
		require.NoError(t, err)
		seen += len(found.Items)
		if !found.HasNext {
			break
		}
		require.Len(t, found.Items, 2)
		input.After = &found.Cursors[len(found.Cursors)-1]
	}
	require.Equal(t, 3, seen)
}

// Each write changes how rare words are, and so the scores of all matches: the pages go on behind the same record.
func TestSearchPagesGoOnWhereScoresChangeMeanwhile(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(*service.Tenant, reading.PageInput) (*reading.Page[recalling.SearchHit], error){
		"of all kinds": func(svc *service.Tenant, page reading.PageInput) (*reading.Page[recalling.SearchHit], error) {
			return svc.Retrieval.Search(t.Context(), "okapi export", nil, boundary.UserFilter{}, page, boundary.Include{})
		},
		"of observations": func(svc *service.Tenant, page reading.PageInput) (*reading.Page[recalling.SearchHit], error) {
			return svc.Retrieval.SearchObservations(t.Context(), boundary.ObservationSearch{Query: "okapi export"}, page)
		},
	} {
		t.Run(name, func(t *testing.T) {
			svc := servicetest.Open(t)
			record := func(id, content string) {
				_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{ID: &id, Content: content})
				require.NoError(t, err)
			}
			for i := range 60 {
				record(fmt.Sprintf("o%02d", i), "okapi export timed out")
			}
			last := "" // what the page before ended with
			for _, meanwhile := range []func(){
				func() { record("unrelated", "the printers are out of paper") },
				func() {
					_, err := svc.Upkeep.Delete(t.Context(), memory.KindObservation, boundary.DeleteInput{ID: "unrelated"})
					require.NoError(t, err)
				},
				func() {
					_, err := svc.Upkeep.Delete(t.Context(), memory.KindObservation, boundary.DeleteInput{ID: last})
					require.NoError(t, err)
				},
			} {
				seen := map[string]bool{}
				input := reading.PageInput{First: new(20)}
				for {
					found, err := ask(svc, input)
					require.NoError(t, err)
					for _, hit := range found.Items {
						require.False(t, seen[hit.Node.ID()], "%s comes twice", hit.Node.ID())
						seen[hit.Node.ID()] = true
					}
					if !found.HasNext {
						break
					}
					last = found.Items[len(found.Items)-1].Node.ID()
					input.After = &found.Cursors[len(found.Cursors)-1]
					if len(seen) == 20 {
						meanwhile()
					}
				}
				require.Len(t, seen, 60)
			}
		})
	}
}

// Those that stand next to a match lend it their words, and are answered only where they weigh enough themselves.
func TestWhatStandsBesideWeighsEnoughToo(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for id, importance := range map[string]memory.Importance{"heavy": memory.ImportanceHigh, "light": memory.ImportanceLow} {
		_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{
			ID: &id, Content: map[string]string{"heavy": "the kettle leaks", "light": "it was bought in May"}[id],
			SessionID: new("s"), Importance: &importance, At: &servicetest.Noon,
		})
		require.NoError(t, err)
	}
	found := func(least *float64) (keys []string) {
		page, err := svc.Retrieval.SearchObservations(t.Context(), boundary.ObservationSearch{Query: "kettle", MinWeight: least}, reading.PageInput{})
		require.NoError(t, err)
		for _, hit := range page.Items {
			keys = append(keys, hit.Observation().Key)
		}
		return keys
	}
	require.Equal(t, []string{"heavy", "light"}, found(nil))
	require.Equal(t, []string{"heavy"}, found(new(0.7)))
}
