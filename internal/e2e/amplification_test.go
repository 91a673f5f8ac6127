package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/service"
)

// limited is the same memory behind an API with limits of its own, which tells what the last request took.
func (w *world) limited(options gqlhttp.Options) (*world, *service.Limits) {
	spent := new(service.Limits)
	options.Spent = func(s service.Limits) { *spent = s }
	own := &suite{handler: gqlhttp.NewHandler(w.service, options), service: w.service, backend: w.backend, seen: w.seen}
	return &world{suite: own, tenant: w.tenant}, spent
}

// followed records an episode and others that it caused.
func (w *world) followed(t *testing.T, followers int, observation string) {
	t.Helper()
	w.episode(t, "h", "The first cause.", nil)
	for from := 0; from < followers; from += 100 {
		var batch []vars
		for i := from; i < from+100; i++ {
			batch = append(batch, vars{
				"id": fmt.Sprintf("f%04d", i), "agentId": "ada", "observation": observation, "startedAt": now, "causedBy": []string{"h"},
			})
		}
		w.do(t, "recordEpisodes", "result { succeeded }", vars{"episodes": batch}, nil)
	}
}

// A few hundred records that lead to each other make an answer of any size. What is read is no more than the
// records, each once, and what is answered no more than the limit.
func testAmplification(t *testing.T, w *world) {
	const followers = 200
	w.followed(t, followers, strings.Repeat("It followed, as had to be. ", 40))
	w, spent := w.limited(gqlhttp.Options{})

	fault := w.refuse(t, `{ episode(id: "h") { causes { nodes { causedBy { nodes { causes { nodes { causedBy { nodes { causes { nodes { id } } } } } } } } } } } }`, nil)
	assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions.Code)
	assert.Contains(t, fault.Message, "by estimate")
	assert.Zero(t, *spent, "refused before anything was read")

	// Legal by estimate: fewer than 200,000 fields.
	const legal = `{ episode(id: "h") { causes(first: 100) { nodes { causedBy(first: 1) { nodes {
		causes(first: 100) { nodes { causedBy(first: 1) { nodes { causes(first: 5) { nodes { %s } } } } } } } } } } } }`
	answer := w.post(t, fmt.Sprintf(legal, "id"), nil)
	require.Empty(t, answer.Errors)
	assert.Equal(t, 100*100*5+1, strings.Count(string(answer.Data), "episode:f")+1)
	assert.LessOrEqual(t, spent.Records, int64(1+101+2*101+2+101+2*101+6), "shared reads once")
	assert.Less(t, spent.AnswerBytes, int64(16<<20))

	answer = w.post(t, fmt.Sprintf(legal, "observation"), nil)
	require.Len(t, answer.Errors, 1)
	assert.Equal(t, "LIMIT_EXCEEDED", answer.Errors[0].Extensions.Code)
	assert.Contains(t, answer.Errors[0].Message, "bytes of answer")
	assert.Empty(t, answer.Data)
	assert.Less(t, spent.AnswerBytes, int64(24<<20), "no more work once it is over")
	assert.Less(t, spent.Records, int64(1000))

	// The number of records has a limit of its own, which ends a read while it is under way.
	w, spent = w.limited(gqlhttp.Options{Budget: service.Limits{Records: 120}})
	w.ask(t, `{ episodes(first: 100) { nodes { id } } }`, nil, nil)
	fault = w.refuse(t, `{ a: episodes(first: 50) { nodes { id } } b: episodes(first: 100) { nodes { id agent { id } } } }`, nil)
	assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions.Code)
	assert.Contains(t, fault.Message, "120 records")
	assert.LessOrEqual(t, spent.Records, int64(120+2))
	w, spent = w.limited(gqlhttp.Options{Budget: service.Limits{ReadBytes: 50 << 10}})
	var short struct {
		Episodes struct {
			Nodes    []struct{ ID string }
			PageInfo struct{ HasNextPage bool }
		}
	}
	w.ask(t, `{ episodes(first: 100) { nodes { id observation } pageInfo { hasNextPage } } }`, nil, &short)
	assert.Len(t, short.Episodes.Nodes, 12)
	assert.True(t, short.Episodes.PageInfo.HasNextPage, "a page ends before it is too long")
	assert.Less(t, spent.ReadBytes, int64(50<<10))
	w.ask(t, `{ episodes(first: 10) { nodes { observation } } }`, nil, nil)

	w, _ = w.limited(gqlhttp.Options{Budget: service.Limits{Records: 90}})
	// What changes the memory says what became of it, and the memory is changed.
	fault = w.refuse(t, mutationOf("recordEpisode", `episode { agent { episodes(first: 100) { nodes { id observation } } } }`),
		vars{"input": vars{"id": "last", "agentId": "ada", "observation": "It ended."}})
	assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions.Code)
	assert.Contains(t, fault.Message, "is kept")
	w.ask(t, `{ episode(id: "last") { observation } }`, nil, nil)
	w.do(t, "deleteAgent", "episodes", vars{"id": "ada"}, nil)
}

// What is gone through for sums is counted over all sums of a request.
func testSums(t *testing.T, w *world) {
	const followers = 200
	w.followed(t, followers, "It followed, as had to be.")
	w.canvas(t, vars{"canvasId": "chart", "episodeId": "h", "canvasType": "charts"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE"})
	w, spent := w.limited(gqlhttp.Options{Budget: service.Limits{Summed: 2*followers + 10}})
	w.ask(t, `{ agent(id: "ada") { graduation { episodes } canvasInsights { byType { presentations } } } }`, nil, nil)
	assert.EqualValues(t, followers+1+5+5, spent.Summed)
	w.ask(t, `{ trends { episodes } again: trends { episodes } }`, nil, nil)
	assert.EqualValues(t, 2*(followers+4)/4, spent.Summed) // which the store counts, four for one
	for _, sums := range []string{
		`{ agent(id: "ada") { graduation { episodes } } a: trends { episodes } b: trends { episodes } c: trends { episodes } d: trends { episodes } e: trends { episodes } }`,
		`{ agents { nodes { graduation { episodes } } } a: trends { episodes } b: trends { episodes } c: trends { episodes } d: trends { episodes } e: trends { episodes } }`,
	} {
		fault := w.refuse(t, sums, nil)
		assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions.Code)
		assert.Contains(t, fault.Message, "410 records for its sums")
		assert.Less(t, spent.Summed, int64(3*(followers+1)+10))
	}
	w, _ = w.limited(gqlhttp.Options{Budget: service.Limits{Summed: 1}})
	w.ask(t, `{ trends { episodes } }`, nil, nil) // one alone is always had
}

// What was accepted can be read, whatever its size and however long it gets in an answer.
func testOneRecordAlone(t *testing.T, w *world) {
	long := strings.Repeat("\x01\b\f\"\\\n", 10_000)
	for _, id := range []string{"e1", "e2"} {
		w.episode(t, id, "Odd texts.", vars{"thoughts": []string{long, long, long, long}, "metadata": vars{"long": long}})
		w.canvas(t, vars{"canvasId": id, "episodeId": id, "canvasType": "docs"},
			vars{"action": "PRESENT", "metadata": vars{"a": long}}, vars{"action": "UPDATE", "metadata": vars{"b": long}}, vars{"action": "UPDATE", "metadata": vars{"c": long}})
	}
	w, _ = w.limited(gqlhttp.Options{Budget: service.Limits{Records: 1, ReadBytes: 1000, AnswerBytes: 1000}})
	var data struct{ Episode struct{ Thoughts []string } }
	w.ask(t, `{ episode(id: "e1") { id thoughts metadata observation title } }`, nil, &data)
	assert.Equal(t, []string{long, long, long, long}, data.Episode.Thoughts)
	w.ask(t, `{ node(id: "canvas:e1") { id ... on Canvas { canvasType actions { action metadata at } } } }`, nil, nil)
	fault := w.refuse(t, `{ episodes { nodes { thoughts } } }`, nil)
	assert.Equal(t, "LIMIT_EXCEEDED", fault.Extensions.Code)
	again := strings.Repeat(` thoughts metadata`, 1)
	for i := range 20 {
		again += fmt.Sprintf(" t%d: thoughts", i)
	}
	fault = w.refuse(t, `{ episode(id: "e1") { `+again+` } }`, nil)
	assert.Contains(t, fault.Message, "bytes of answer", "alone, and once")
}
