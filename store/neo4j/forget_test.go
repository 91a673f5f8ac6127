package neo4j_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// The work of a deletion is parts of 100 episodes: none grows with the agent, and their number is known.
func TestAgentIsDeletedInParts(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	var episodes []store.EpisodeRecord
	for i := range 350 {
		at := day.AddDate(0, 0, i)
		episodes = append(episodes, store.EpisodeRecord{Episode: memory.Episode{
			Key: fmt.Sprintf("e%03d", i), AgentKey: "ada", TaskType: new("refund"), Outcome: memory.OutcomeSuccess, Concluded: true, StartedAt: at, CreatedAt: at,
		}})
	}
	_, err := store.Record(t.Context(), tenant, episodes)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, name := range trips.during(func() {
		count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"ada"})
		require.NoError(t, err)
		assert.Equal(t, 350, count)
	}) {
		counts[name]++
	}
	assert.Equal(t, 4, counts["delete_episodes"])
	assert.Equal(t, 4, counts["learn"], "a profile is written once in a part")
	assert.Equal(t, 1, counts["agent_episodes"])
	assert.Equal(t, 1, counts["idle"])
}

// A restore that was admitted before there was a tombstone is waited for, and what it wrote is among what is deleted.
func TestDeletionWaitsForWhatWasAdmitted(t *testing.T) {
	admitted, forgotten := make(chan struct{}), make(chan struct{})
	var stops, begins sync.Once
	restoring := open(t, func(name string) {
		if name == "lock" { // it was admitted, and has written nothing yet
			stops.Do(func() {
				close(admitted)
				<-forgotten
			})
		}
	})
	deleting := open(t, func(name string) {
		if name == "add_tombstones" {
			begins.Do(func() { close(forgotten) })
		}
	})
	id := "t-" + strings.ToLower(rand.Text())
	from, err := restoring.Tenant(t.Context(), id)
	require.NoError(t, err)
	tenant, err := deleting.Tenant(t.Context(), id)
	require.NoError(t, err)
	_, err = tenant.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	_, err = store.Record(t.Context(), tenant, []store.AgentItem{{Agent: agent("ada")}})
	require.NoError(t, err)
	var group sync.WaitGroup
	group.Go(func() {
		recorded, err := from.Restore(t.Context(), []store.Item{&store.EpisodeRecord{Episode: memory.Episode{
			Key: "e", AgentKey: "ada", Outcome: memory.OutcomeUnknown, StartedAt: day, CreatedAt: day,
		}}}, false)
		if assert.NoError(t, err) {
			assert.True(t, recorded[0].Created)
		}
	})
	<-admitted
	count, err := tenant.Delete(t.Context(), memory.KindAgent, []string{"ada"})
	require.NoError(t, err)
	group.Wait()
	assert.Equal(t, 1, count)
	episodes, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: []string{"e"}})
	require.NoError(t, err)
	assert.Nil(t, episodes[0])
}
