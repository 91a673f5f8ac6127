package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testMomentFields: what happened in the middle of an episode is found, and where it did.
func testMomentFields(t *testing.T, w *world) {
	w.episode(t, "e", "A customer moves house.", vars{"actions": []vars{{"stepName": "check_address", "result": "The postcode is malformed"}}})
	w.episode(t, "f", "A customer buys a lamp.", nil)
	type moment struct {
		Record        struct{ ID string }
		Part, Snippet string
		Position      int
		Step, At      *string
		Score         float64
	}
	const fields = `record { id } part position step at snippet score`
	var data struct {
		SearchMoments struct {
			Nodes      []moment
			Edges      []struct{ Cursor string }
			TotalCount int
		}
		Recall struct{ Hits []struct{ Moments []moment } }
		Search struct{ Nodes []struct{ Moments []moment } }
	}
	w.ask(t, `{ searchMoments(query: "malformed postcode") { totalCount nodes { `+fields+` } edges { cursor node { part } } pageInfo { hasNextPage } }
		recall(input: {situation: "malformed postcode"}) { hits { moments { `+fields+` } } }
		search(query: "malformed postcode") { nodes { moments { `+fields+` } } } }`, nil, &data)
	require.NotEmpty(t, data.SearchMoments.Nodes)
	first := data.SearchMoments.Nodes[0]
	assert.Equal(t, "episode:e", first.Record.ID)
	assert.Equal(t, "ACTION", first.Part)
	assert.Equal(t, new("check_address"), first.Step)
	assert.Contains(t, first.Snippet, "**postcode**")
	assert.Positive(t, first.Score)
	assert.Equal(t, first, data.Recall.Hits[0].Moments[0])
	assert.Equal(t, first, data.Search.Nodes[0].Moments[0])
}
