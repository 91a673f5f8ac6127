package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/memory/decay"
	"mneme/service"
)

type observation struct {
	ID, Content, Importance string
	SessionID               *string
	AccessCount             int
	LastAccessedAt          *time.Time
	Weight                  float64
	CreatedAt               time.Time
}

const wholeObservation = `id content importance sessionId accessCount lastAccessedAt weight createdAt receipt { tokensBefore tokensAfter redactions { kind count } }`

func (w *world) observe(t *testing.T, id, content string, more vars) {
	t.Helper()
	input := vars{"id": id, "content": content}
	for key, value := range more {
		input[key] = value
	}
	w.do(t, "recordObservation", "observation { id }", input, nil)
}

// flush writes down the accesses that wait for the next window.
func (w *world) flush(t *testing.T) {
	t.Helper()
	require.NoError(t, w.service.Close(context.Background()))
}

func testObservations(t *testing.T, w *world) {
	w.episode(t, "e", "Something.", nil)
	var recorded struct {
		Observation struct {
			observation
			About []struct {
				Typename string `json:"__typename"`
				ID       string
			}
		}
	}
	input := vars{
		"id": "o", "content": "Invoices of this supplier come without a number.", "importance": "LOW", "sessionId": "session:s",
		"aboutIds": []string{"agent:ada", "episode:e", "concept:later", "episode:e"}, "at": now.Add(-time.Hour),
	}
	for range 2 {
		w.do(t, "recordObservation", `observation { `+wholeObservation+` about { __typename id } }`, input, &recorded)
		assert.Equal(t, "observation:o", recorded.Observation.ID)
		assert.Equal(t, "session:s", *recorded.Observation.SessionID)
		assert.Equal(t, now.Add(-time.Hour), recorded.Observation.CreatedAt)
		assert.InDelta(t, 0.2, recorded.Observation.Weight, 1e-12)
		assert.Zero(t, recorded.Observation.AccessCount)
		assert.Nil(t, recorded.Observation.LastAccessedAt)
		require.Len(t, recorded.Observation.About, 2, "what is not known yet is left out")
		assert.Equal(t, "Agent", recorded.Observation.About[0].Typename)
		assert.Equal(t, "episode:e", recorded.Observation.About[1].ID)
	}
	w.memoir(t, "m")
	w.concept(t, "m", "later", "It came later.")
	var listed struct {
		Observations struct {
			Nodes []struct{ About []struct{ ID string } }
		}
	}
	w.ask(t, `{ observations { nodes { about { id ... on Episode { agent { id } } ... on Concept { memoir { id } } } } } }`, nil, &listed)
	assert.Len(t, listed.Observations.Nodes[0].About, 3)

	var payload struct{ Result batch }
	w.do(t, "recordObservations", `result { succeeded failed ids errors { index code message field } }`, vars{"observations": []vars{
		{"id": "c", "content": "Always keep the receipts.", "importance": "CRITICAL"}, {"content": " "},
		{"id": "h", "content": "The bank closes at noon.", "importance": "HIGH"}, {"id": "o", "content": "Something else."}, {"content": "Made a key."},
	}}, &payload)
	assert.Equal(t, 3, payload.Result.Succeeded)
	require.Len(t, payload.Result.Errors, 2)
	assert.Equal(t, "content", payload.Result.Errors[0].Field)
	assert.Equal(t, "CONFLICT", payload.Result.Errors[1].Code)
	assert.Equal(t, "observation:h", *payload.Result.IDs[2])
	testListedObservations(t, w)
}

func testListedObservations(t *testing.T, w *world) {
	list := func(arguments string) (contents []string, total int) {
		var data struct {
			Observations struct {
				TotalCount int
				Edges      []struct {
					Cursor string
					Node   observation
				}
			}
		}
		w.ask(t, `{ observations(`+arguments+`) { totalCount edges { cursor node { `+wholeObservation+` } } nodes { id } pageInfo { endCursor } } }`, nil, &data)
		for _, edge := range data.Observations.Edges {
			contents = append(contents, fmt.Sprint(edge.Node.Weight, " ", edge.Node.Content))
		}
		return contents, data.Observations.TotalCount
	}
	const critical, high, medium, low = "1 Always keep the receipts.", "0.8 The bank closes at noon.", "0.5 Made a key.", "0.2 Invoices of this supplier come without a number."
	all, total := list(`first: 100`)
	assert.Equal(t, []string{critical, high, medium, low}, all)
	assert.Equal(t, 4, total)
	lightest, _ := list(`orderBy: WEIGHT_ASC, first: 2`)
	assert.Equal(t, []string{low, medium}, lightest)
	between, total := list(`minWeight: 0.5, maxWeight: 0.8`)
	assert.Equal(t, []string{high, medium}, between, "bounds are inclusive")
	assert.Equal(t, 2, total)
	latest, _ := list(`orderBy: CREATED_AT_DESC`)
	assert.Equal(t, low, latest[3])
}

// testAccesses: what a search answers and what is fetched by id counts, what is listed or walked does not.
func testAccesses(t *testing.T, w *world) {
	w.observe(t, "a", "The printer jams on Mondays.", vars{"aboutIds": []string{"observation:b"}})
	w.observe(t, "b", "The coffee is strong.", nil)
	read := func() map[string]observation {
		w.flush(t)
		var data struct{ Observations struct{ Nodes []observation } }
		w.ask(t, `{ observations { nodes { `+wholeObservation+` about { id } } } neighbourhood(id: "observation:a") { nodes { node { id } } } }`, nil, &data)
		found := map[string]observation{}
		for _, node := range data.Observations.Nodes {
			found[node.ID] = node
		}
		return found
	}
	assert.Zero(t, read()["observation:a"].AccessCount)
	w.ask(t, `{ searchObservations(query: "printer") { nodes { observation { id about { id } } } } search(query: "printer") { nodes { node { id } } } }`, nil, nil)
	w.ask(t, `{ node(id: "observation:a") { id } nodes(ids: ["observation:b"]) { id } }`, nil, nil)
	after := read()
	assert.Equal(t, 3, after["observation:a"].AccessCount)
	assert.Equal(t, 1, after["observation:b"].AccessCount)
	assert.InDelta(t, 0.5/1.3, after["observation:a"].Weight, 1e-12)
	require.NotNil(t, after["observation:a"].LastAccessedAt)
	assert.Equal(t, now, *after["observation:a"].LastAccessedAt)
	assert.Equal(t, after, read(), "reading lists counts nothing")

	w.ask(t, `{ node(id: "observation:a") { id } }`, nil, nil)
	assert.Eventually(t, func() bool {
		var data struct{ Observations struct{ Nodes []observation } }
		w.ask(t, `{ observations(orderBy: WEIGHT_ASC, first: 1) { nodes { accessCount } } }`, nil, &data)
		return data.Observations.Nodes[0].AccessCount == 4
	}, 10*time.Second, 10*time.Millisecond, "what waits is written down by itself")
}

// testManyAccesses: 10,000 observations are read 100,000 times by many clients; not one read is lost.
func testManyAccesses(t *testing.T, w *world) {
	const batches, rounds = 10, 10
	observations := sized(10_000)
	ids := make([][]string, batches)
	inParallel(4, batches, func(b int) {
		inputs := make([]vars, observations/batches)
		for i := range inputs {
			key := fmt.Sprintf("%d-%d", b, i)
			inputs[i] = vars{"id": key, "content": "Number " + key + "."}
			ids[b] = append(ids[b], "observation:"+key)
		}
		w.do(t, "recordObservations", "result { failed }", vars{"observations": inputs}, nil)
	})
	inParallel(8, batches*rounds, func(i int) {
		w.ask(t, `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, vars{"ids": ids[i%batches]}, nil)
	})
	w.flush(t)
	sum, cursor := 0, (*string)(nil)
	for {
		var data struct {
			Observations struct {
				Nodes    []observation
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		w.ask(t, `query ($after: String) { observations(orderBy: CREATED_AT_DESC, first: 100, after: $after) { nodes { accessCount } pageInfo { hasNextPage endCursor } } }`,
			vars{"after": cursor}, &data)
		for _, node := range data.Observations.Nodes {
			require.Equal(t, rounds, node.AccessCount)
			sum += node.AccessCount
		}
		if cursor = data.Observations.PageInfo.EndCursor; !data.Observations.PageInfo.HasNextPage {
			break
		}
	}
	assert.Equal(t, observations*rounds, sum)
}

func testPrune(t *testing.T, w *world) {
	for _, importance := range []string{"CRITICAL", "HIGH", "MEDIUM", "LOW"} {
		w.observe(t, importance, "Noticed.", vars{"importance": importance, "sessionId": "s"})
	}
	w.observe(t, "used", "Noticed, and read again and again.", nil)
	for range 16 { // 0.5 / 2.6 = 0.19…
		w.ask(t, `{ node(id: "observation:used") { id } }`, nil, nil)
	}
	var pruned struct {
		Candidates, Deleted int
		DryRun, Complete    bool
	}
	const selection = "candidates deleted dryRun complete"
	w.do(t, "prune", selection, vars{"minWeight": 0.2}, &pruned)
	assert.Equal(t, 1, pruned.Candidates, "less than, not as much as")
	assert.Zero(t, pruned.Deleted)
	assert.True(t, pruned.DryRun)
	w.do(t, "prune", selection, vars{"minWeight": 0.2, "dryRun": false}, &pruned)
	assert.Equal(t, 1, pruned.Deleted)
	w.do(t, "prune", selection, vars{"minWeight": 1, "dryRun": false}, &pruned)
	assert.Equal(t, 2, pruned.Deleted)
	assert.False(t, pruned.DryRun)
	assert.True(t, pruned.Complete)
	var left struct{ Observations struct{ Nodes []observation } }
	w.ask(t, `{ observations { nodes { id } } node(id: "observation:LOW") { id } searchObservations(query: "noticed") { totalCount } }`, nil, &left)
	require.Len(t, left.Observations.Nodes, 2)
	assert.Equal(t, "observation:CRITICAL", left.Observations.Nodes[0].ID)
	assert.Equal(t, "observation:HIGH", left.Observations.Nodes[1].ID)
}

// testTimeFades: under the other policy time lowers the weight and use restores it.
func testTimeFades(t *testing.T, w *world) {
	svc := service.New(w.backend, service.WithClock(func() time.Time { return now }),
		service.WithRedaction(redact.Rules()), func(s *service.Settings) { s.Decay = decay.TimeFades })
	other := &suite{handler: gqlhttp.NewHandler(svc, gqlhttp.Options{}), service: svc, sent: w.sent, seen: w.seen}
	fading := &world{suite: other, tenant: w.tenant}
	old := now.AddDate(0, 0, -30)
	fading.observe(t, "pinned", "It matters.", vars{"importance": "HIGH", "at": old})
	fading.observe(t, "old", "It was noticed a month ago.", vars{"at": old})
	fading.observe(t, "new", "It was noticed now.", vars{"importance": "LOW"})
	weights := func(w *world) map[string]float64 {
		w.flush(t)
		var data struct{ Observations struct{ Nodes []observation } }
		w.ask(t, `{ observations { nodes { id weight } } }`, nil, &data)
		found := map[string]float64{}
		for _, node := range data.Observations.Nodes {
			found[node.ID] = node.Weight
		}
		return found
	}
	assert.Equal(t, map[string]float64{"observation:pinned": 0.8, "observation:old": 0.25, "observation:new": 0.2}, weights(fading))
	assert.Equal(t, map[string]float64{"observation:pinned": 0.8, "observation:old": 0.5, "observation:new": 0.2}, weights(w))
	var pruned struct{ Candidates int }
	fading.do(t, "prune", "candidates", vars{"minWeight": 0.3}, &pruned)
	assert.Equal(t, 2, pruned.Candidates)
	fading.ask(t, `{ node(id: "observation:old") { id } }`, nil, nil)
	assert.InDelta(t, 0.5, weights(fading)["observation:old"], 1e-12, "it was used just now")
}

// testConsolidation sums up what recurs in older episodes, once.
func testConsolidation(t *testing.T, w *world) {
	for i := range 4 {
		id := fmt.Sprintf("e%d", i)
		w.episode(t, id, "A refund is asked for.", vars{
			"taskType": "refund_request", "outcome": "FAILURE", "startedAt": now.AddDate(0, 0, -10-i), "result": "It was refused.",
		})
	}
	w.episode(t, "young", "A refund is asked for.", vars{"taskType": "refund_request", "outcome": "FAILURE"})
	var result struct {
		DryRun                            bool
		EpisodesRead, ObservationsCreated int
		Patterns                          []string
		LastAgentID                       *string
		HasMore                           bool
	}
	const selection = "dryRun episodesRead observationsCreated patterns lastAgentId hasMore"
	count := func() (observations []struct {
		Content string
		About   []struct{ ID string }
	}) {
		var data struct {
			Observations struct {
				Nodes []struct {
					Content string
					About   []struct{ ID string }
				}
			}
		}
		w.ask(t, `{ observations { nodes { content about { id } } } }`, nil, &data)
		return data.Observations.Nodes
	}
	w.do(t, "consolidate", selection, vars{}, &result)
	assert.True(t, result.DryRun)
	assert.Equal(t, 4, result.EpisodesRead)
	assert.Contains(t, result.Patterns, "ada: failure of refund_request")
	require.Equal(t, "agent:ada", *result.LastAgentID)
	assert.False(t, result.HasMore)
	announced := result.ObservationsCreated
	assert.Positive(t, announced)
	assert.Empty(t, count())

	w.do(t, "consolidate", selection, vars{"dryRun": false, "agentId": "agent:ada"}, &result)
	assert.Equal(t, announced, result.ObservationsCreated)
	said := count()
	require.Len(t, said, announced)
	assert.Len(t, said[0].About, 4)
	for range 2 {
		w.do(t, "consolidate", selection, vars{"dryRun": false}, &result)
		assert.Zero(t, result.ObservationsCreated)
		assert.Equal(t, said, count(), "a second time adds nothing")
	}
	w.do(t, "consolidate", selection, vars{"afterAgentId": "agent:ada"}, &result)
	assert.Zero(t, result.EpisodesRead, "nobody comes after her")
}
