package sqlite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// A page of the effects of an episode costs what it holds, however many they are.
func TestLinksOfAHubAreReadByThePage(t *testing.T) {
	t.Parallel()
	const page, effects = 10, 5000
	tenant := openTenant(t, t.TempDir())
	batch := []store.EpisodeRecord{record("hub", "The first cause.")}
	for i := range effects {
		r := record(fmt.Sprintf("x%04d", i), "It followed.")
		r.CausedBy = []string{"hub"}
		batch = append(batch, r)
	}
	_, err := store.Record(t.Context(), tenant, batch)
	require.NoError(t, err)
	way := ways[memory.LinkCauses]
	defer func() { ways[memory.LinkCauses] = way }()
	ways[memory.LinkCauses] = strings.NewReplacer("e.id = l.source", "e.id = look_up(l.source)", "k.id = b.source", "k.id = look_up(b.source)").Replace(way)
	for _, after := range []*store.Position{nil, {Key: "x2500"}} {
		lookUps.Store(0)
		linked, err := tenant.Linked(t.Context(), store.LinkedQuery{
			Episodes: []string{"hub"}, Link: memory.LinkCauses, Page: store.Page{After: after, Limit: page},
		})
		require.NoError(t, err)
		assert.Len(t, linked["hub"].Episodes, page)
		assert.True(t, linked["hub"].More)
		assert.LessOrEqual(t, lookUps.Load(), int64(2*page+4))
		assert.Positive(t, lookUps.Load())
	}
}
