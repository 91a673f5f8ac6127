package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (w *world) correct(t *testing.T, id, topic, prediction, correction string, more vars) {
	t.Helper()
	input := vars{"id": id, "topic": topic, "prediction": prediction, "correction": correction}
	for key, value := range more {
		input[key] = value
	}
	w.do(t, "recordCorrection", "correction { id }", input, nil)
}

type correction struct {
	ID, Topic, Prediction, Correction, Importance string
	Context, CreatedBy                            *string
	CreatedAt                                     time.Time
	About                                         []struct{ ID string }
}

const wholeCorrection = `id topic prediction correction context importance createdBy createdAt about { id } receipt { tokensBefore tokensAfter redactions { kind count } }`

func testCorrections(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "refund", "Within 24 hours.")
	input := vars{
		"id": "k", "topic": "refund", "prediction": "A basic fare is never refunded.", "correction": "Within 24 hours of booking it is.",
		"context": "Economy, with insurance.", "importance": "HIGH", "createdBy": "ada", "aboutIds": []string{"concept:refund"},
	}
	var recorded struct{ Correction correction }
	for range 2 {
		w.do(t, "recordCorrection", "correction { "+wholeCorrection+" }", input, &recorded)
		assert.Equal(t, "correction:k", recorded.Correction.ID)
		assert.Equal(t, "HIGH", recorded.Correction.Importance)
		assert.Equal(t, "Economy, with insurance.", *recorded.Correction.Context)
		assert.Equal(t, now, recorded.Correction.CreatedAt)
		require.Len(t, recorded.Correction.About, 1)
		assert.Equal(t, "concept:refund", recorded.Correction.About[0].ID)
	}
	w.correct(t, "k2", "refund", "Refunds take a day.", "They take a week.", nil)
	w.correct(t, "k3", "baggage", "Two bags are free.", "One bag is free.", vars{"importance": "LOW"})

	var data struct {
		Corrections, Refunds struct {
			TotalCount int
			Nodes      []correction
		}
		SearchCorrections, Filtered struct {
			TotalCount int
			Nodes      []struct {
				Snippet    string
				Score      float64
				Correction correction
			}
		}
		Stats, Before, Later struct {
			Total   int
			ByTopic []struct {
				Topic string
				Count int
			}
			ByImportance []struct {
				Importance string
				Count      int
			}
		}
	}
	w.ask(t, `query ($now: DateTime, $later: DateTime) {
		corrections(first: 2) { totalCount nodes { `+wholeCorrection+` } edges { cursor node { id } } pageInfo { endCursor } }
		refunds: corrections(topic: "refund") { totalCount nodes { id } }
		searchCorrections(query: "is a basic fare refunded?") { totalCount nodes { snippet score reasons correction { id } } edges { cursor node { score } } pageInfo { endCursor } }
		filtered: searchCorrections(query: "free", topic: "refund") { totalCount nodes { correction { id } } }
		stats: correctionStats { total byTopic { topic count } byImportance { importance count } }
		before: correctionStats(since: $now) { total }
		later: correctionStats(since: $later) { total byTopic { topic } byImportance { importance } }
	}`, vars{"now": now, "later": now.Add(time.Millisecond)}, &data)
	assert.Equal(t, 3, data.Corrections.TotalCount)
	assert.Len(t, data.Corrections.Nodes, 2)
	assert.Equal(t, 2, data.Refunds.TotalCount)
	require.NotEmpty(t, data.SearchCorrections.Nodes)
	assert.Equal(t, "correction:k", data.SearchCorrections.Nodes[0].Correction.ID)
	assert.Contains(t, data.SearchCorrections.Nodes[0].Snippet, "**basic** **fare**")
	assert.Empty(t, data.Filtered.Nodes)
	assert.Equal(t, 3, data.Stats.Total)
	require.Len(t, data.Stats.ByTopic, 2)
	assert.Equal(t, "refund", data.Stats.ByTopic[0].Topic)
	assert.Equal(t, 2, data.Stats.ByTopic[0].Count)
	require.Len(t, data.Stats.ByImportance, 3)
	for i, importance := range []string{"HIGH", "MEDIUM", "LOW"} {
		assert.Equal(t, importance, data.Stats.ByImportance[i].Importance)
		assert.Equal(t, 1, data.Stats.ByImportance[i].Count)
	}
	assert.Equal(t, 3, data.Before.Total, "since is inclusive")
	assert.Zero(t, data.Later.Total)
	assert.NotNil(t, data.Later.ByTopic)
}

// testOneSearch ranks records of all kinds together.
func testOneSearch(t *testing.T, w *world) {
	w.do(t, "createMemoir", "memoir { id }", vars{"id": "m", "name": "Harbour rules", "description": "What applies at the lighthouse."}, nil)
	w.concept(t, "m", "Lighthouse", "It flashes every ten seconds.")
	w.episode(t, "e", "The lighthouse was dark.", vars{"title": "Outage"})
	w.observe(t, "o", "The lighthouse keeper sleeps at noon.", nil)
	w.correct(t, "k", "lighthouse", "It is red.", "It is white.", nil)
	w.feedback(t, vars{"id": "f", "episodeId": "e", "type": "THUMBS_DOWN", "corrections": "Ask the keeper first.", "comment": "Not that dark a lighthouse."})
	type found struct {
		Snippet string
		Score   float64
		Node    struct {
			Typename string `json:"__typename"`
			ID       string
		}
	}
	var data struct {
		Search, Some, Page struct {
			TotalCount int
			Nodes      []found
			Edges      []struct {
				Cursor string
				Node   found
			}
			PageInfo struct{ HasNextPage bool }
		}
	}
	w.ask(t, `{
		search(query: "lighthouse") { totalCount nodes { snippet score reasons node { __typename id ... on Episode { agent { id } } ... on Concept { memoir { id } } } } }
		some: search(query: "lighthouse", kinds: ["concept", "correction"]) { totalCount nodes { node { __typename id } } }
		page: search(query: "keeper", first: 1) { edges { cursor node { node { id } } } pageInfo { hasNextPage } }
	}`, nil, &data)
	kinds := map[string]bool{}
	for i, hit := range data.Search.Nodes {
		kinds[hit.Node.Typename] = true
		assert.Contains(t, hit.Snippet, "**", hit.Node.ID)
		assert.LessOrEqual(t, hit.Score, 1.5)
		if i > 0 {
			assert.LessOrEqual(t, hit.Score, data.Search.Nodes[i-1].Score)
		}
	}
	assert.Equal(t, map[string]bool{"Memoir": true, "Concept": true, "Episode": true, "Observation": true, "Correction": true, "Feedback": true}, kinds)
	assert.Equal(t, 6, data.Search.TotalCount)
	assert.Equal(t, 2, data.Some.TotalCount)
	require.Len(t, data.Page.Edges, 1)
	assert.True(t, data.Page.PageInfo.HasNextPage)
	var next struct{ Search struct{ Nodes []found } }
	w.ask(t, `query ($after: String) { search(query: "keeper", after: $after) { nodes { node { id } } } }`, vars{"after": data.Page.Edges[0].Cursor}, &next)
	require.Len(t, next.Search.Nodes, 1)
	assert.NotEqual(t, data.Page.Edges[0].Node.Node.ID, next.Search.Nodes[0].Node.ID)
}
