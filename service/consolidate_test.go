package service_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// Over GraphQL a call must end within its time whatever the store holds, so it ends with a part; no agent is
// left out or looked at twice.
func TestConsolidationGoesInParts(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	const agents = 1500
	for start := 0; start < agents; start += 500 {
		var inputs []boundary.RecordEpisodeInput
		for i := range 500 {
			input := ended(fmt.Sprint("e", start+i))
			input.AgentID, input.StartedAt = fmt.Sprintf("agent-%04d", start+i), new(servicetest.Noon.AddDate(0, 0, -20))
			inputs = append(inputs, input)
		}
		_, err := svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: inputs})
		require.NoError(t, err)
	}
	read, parts := 0, 0
	for input := (boundary.ConsolidateInput{}); ; parts++ {
		done, err := svc.Upkeep.Consolidate(t.Context(), input)
		require.NoError(t, err)
		read += done.EpisodesRead
		require.LessOrEqual(t, done.EpisodesRead, 1000)
		if !done.HasMore {
			require.Equal(t, "agent:agent-1499", *done.LastAgentID)
			break
		}
		input.AfterAgentID = done.LastAgentID
	}
	require.Equal(t, agents, read)
	require.Equal(t, 1, parts)

	_, err := svc.Upkeep.Consolidate(t.Context(), boundary.ConsolidateInput{AgentID: new("a"), AfterAgentID: new("b")})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "afterAgentId")
}

// A memory that nobody uses is consolidated by itself, once in the time that is configured.
func TestAnIdleMemoryIsConsolidated(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	passed := time.Duration(0)
	svc := service.New(backend, service.WithClock(func() time.Time { return servicetest.Noon.Add(passed) }), func(s *service.Settings) { s.Consolidation = 24 * time.Hour })
	t.Cleanup(func() {
		require.NoError(t, svc.Close(context.Background()))
		require.NoError(t, backend.Close(context.Background()))
	})
	user, leave := context.WithCancel(service.WithTenant(t.Context(), "acme"))
	defer leave()
	using, err := svc.Tenant(user)
	require.NoError(t, err)
	record := func(from, to int) {
		for i := from; i < to; i++ {
			input := ended(fmt.Sprint("e", i))
			input.TaskType, input.StartedAt = new("refund"), new(servicetest.Noon.AddDate(0, 0, -20))
			_, err := using.Episodes.RecordEpisode(user, input, boundary.Include{})
			require.NoError(t, err)
		}
	}
	said := func() int {
		ctx, done := context.WithCancel(service.WithTenant(t.Context(), "acme"))
		defer done()
		tenant, err := svc.Tenant(ctx)
		require.NoError(t, err)
		page, err := tenant.Knowledge.Observations(ctx, boundary.ObservationFilter{}, memory.LatestFirst, reading.PageInput{})
		require.NoError(t, err)
		return len(page.Items)
	}
	record(0, 4)
	svc.ConsolidateIdle(t.Context())
	require.Zero(t, said(), "it is in use")
	leave()
	require.Eventually(t, func() bool {
		passed += 2 * time.Minute
		svc.ConsolidateIdle(t.Context())
		return said() > 0
	}, 10*time.Second, 10*time.Millisecond)
	before := said()
	user, leave = context.WithCancel(service.WithTenant(t.Context(), "acme"))
	using, err = svc.Tenant(user)
	require.NoError(t, err)
	record(4, 12)
	leave()
	for range 10 {
		passed += 2 * time.Minute
		svc.ConsolidateIdle(t.Context())
	}
	require.Equal(t, before, said(), "not twice a day")
}

// weighed notes how many links each transaction of observations has.
type weighed struct {
	store.Backend
	links *[]int
}

func (w weighed) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := w.Backend.Tenant(ctx, id)
	return weighedStore{bound, w.links}, err
}

type weighedStore struct {
	store.Store
	links *[]int
}

func (w weighedStore) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	links := 0
	for _, item := range items {
		if guarded, ok := item.(*store.Guarded); ok {
			links += len(guarded.Unless) // the records that it is about
		}
	}
	*w.links = append(*w.links, links)
	return w.Store.Restore(ctx, items, force)
}

// Writers wait for one another, so a consolidation writes little at a time.
func TestConsolidationLetsOthersWrite(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	var links []int
	svc := servicetest.Bind(t.Context(), t, service.New(weighed{backend, &links}, service.WithClock(func() time.Time { return servicetest.Noon })))
	var inputs []boundary.RecordEpisodeInput
	for i := range 300 {
		input := ended(fmt.Sprint("e", i))
		input.StartedAt = new(servicetest.Noon.AddDate(0, 0, -20))
		for step := range 10 {
			input.Actions = append(input.Actions, boundary.ActionInput{StepName: fmt.Sprint("step ", step), Result: memory.JSON(`"Error: no"`)})
		}
		inputs = append(inputs, input)
	}
	_, err = svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: inputs})
	require.NoError(t, err)
	dry := false
	done, err := svc.Upkeep.Consolidate(t.Context(), boundary.ConsolidateInput{DryRun: &dry})
	require.NoError(t, err)
	require.GreaterOrEqual(t, done.ObservationsCreated, 10)
	require.Greater(t, len(links), 2)
	for _, n := range links {
		require.Positive(t, n)
		require.LessOrEqual(t, n, 1000)
	}
}
