package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
)

// Six episodes of 13 MiB that people liked (3 MiB in the short form, 4 MiB on Neo4j, in proportion to memory) block no
// reader: lists and searches read what is selected, pages end early, and a recall says what it leaves out.
func testLargeRecords(t *testing.T, w *world) {
	size := 13
	if w.sent != nil {
		size = 4
	}
	if size = min(size, sized(13)); size < 13 {
		w, _ = w.limited(gqlhttp.Options{Budget: service.Limits{ReadBytes: int64(size) * 5 << 20}})
	}
	thoughts := make([]string, size)
	for i := range thoughts {
		thoughts[i] = strings.Repeat("The kettle was looked at once more. ", 1<<20/36)
	}
	for i := range 6 {
		id := fmt.Sprint("e", i)
		w.episode(t, id, "A kettle leaks.", vars{"thoughts": thoughts, "insight": "Descale it " + id})
		w.feedback(t, vars{"episodeId": id, "type": "THUMBS_UP"})
	}
	w.episode(t, "small", "A kettle is loud.", vars{"thoughts": []string{"It sings."}})

	type hit struct {
		LeftOut *string
		Episode struct{ ID, Observation, Insight string }
	}
	recall := func(selection string) (hits []hit, lessons string) {
		t.Helper()
		var data struct {
			Recall struct {
				Hits    []hit
				Lessons string
			}
		}
		w.ask(t, `{ recall(input: {situation: "a kettle leaks", topK: 7, variants: SEPARATE}) { lessons(maxTokens: 300) hits { leftOut reasons score { total } episode { `+selection+` } } } }`, nil, &data)
		return data.Recall.Hits, data.Recall.Lessons
	}
	hits, lessons := recall(`id title observation insight feedbackContext { id }`)
	require.Len(t, hits, 7)
	assert.Contains(t, lessons, "Descale it")
	left := 0
	for _, hit := range hits {
		assert.Contains(t, hit.Episode.Observation, "A kettle")
		if hit.LeftOut != nil {
			left++
			assert.Contains(t, *hit.LeftOut, "thoughts")
			assert.NotContains(t, *hit.LeftOut, "feedback")
		}
	}
	assert.Contains(t, []int{3, 4}, left, "two or three large ones fit, and the small one")
	hits, _ = recall(`id insight thoughts`)
	require.Len(t, hits, 7)
	assert.NotNil(t, hits[5].LeftOut)

	var search struct {
		Search struct {
			Nodes []struct{ Node struct{ ID string } }
		}
	}
	w.ask(t, `{ search(query: "kettle") { nodes { snippet node { id } moments { record { id ... on Episode { title } } } } } }`, nil, &search)
	assert.Len(t, search.Search.Nodes, 7)
	w.ask(t, `{ searchMoments(query: "kettle") { nodes { snippet record { id } } } neighbourhood(id: "agent:ada") { nodes { node { id } } } nodes(ids: ["episode:e1", "episode:e2", "episode:e3", "episode:e4", "episode:e5"]) { id } }`, nil, nil)
	w.ask(t, `{ episodes { nodes { id } } }`, nil, nil)

	var walked []string
	after := "null"
	for {
		var data struct {
			Episodes struct {
				Nodes    []struct{ ID string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		w.ask(t, `{ episodes(after: `+after+`) { nodes { id insight thoughts } pageInfo { hasNextPage endCursor } } }`, nil, &data)
		for _, e := range data.Episodes.Nodes {
			walked = append(walked, e.ID)
		}
		if !data.Episodes.PageInfo.HasNextPage {
			break
		}
		after = fmt.Sprintf("%q", *data.Episodes.PageInfo.EndCursor)
	}
	assert.Len(t, walked, 7)

	a := w.agent(t)
	var recalled struct{ Hits []json.RawMessage }
	a.call(t, "recall", vars{"situation": "a kettle leaks", "variants": "SEPARATE", "topK": 7}, &recalled)
	assert.Len(t, recalled.Hits, 7)
	assert.Contains(t, string(recalled.Hits[5]), `"leftOut"`)
	a.call(t, "recall", vars{"situation": "a kettle leaks", "variants": "SEPARATE", "topK": 7, "full": true}, &recalled)
	assert.Len(t, recalled.Hits, 7)
	a.call(t, "search", vars{"query": "kettle"}, &recalled)
	assert.Len(t, recalled.Hits, 7)
	a.call(t, "neighbourhood", vars{"id": "agent:ada"}, nil)
	w.do(t, "deleteEpisodes", "deleted", vars{"filter": vars{"agentId": "ada"}, "dryRun": false}, nil)
}
