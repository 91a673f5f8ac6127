package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
)

func testNodes(t *testing.T, w *world) {
	w.episode(t, "e", "Something.", vars{"sessionId": "s:1/2", "taskType": "b"})
	w.episode(t, "e2", "Something else.", vars{"sessionId": "s:1/2", "taskType": "a"})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "e", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "type": "THUMBS_UP"})

	var data struct {
		Nodes []*struct {
			Typename  string `json:"__typename"`
			ID        string
			TaskTypes []string
			Episodes  struct {
				TotalCount int
				Nodes      []struct{ ID string }
			}
		}
		Agent   *struct{ Name string }
		Nobody  *struct{ Name string }
		Foreign struct{ Episodes struct{ TotalCount int } }
		Agents  struct {
			TotalCount int
			Edges      []struct{ Node struct{ ID string } }
		}
	}
	w.ask(t, `{
		nodes(ids: ["feedback:f", "session:s:1/2", "episode:none", "agent:ada", "canvas:c", "episode:e"]) {
			__typename id
			... on Agent { taskTypes episodes(first: 1) { totalCount nodes { id } } }
			... on Session { id episodes { totalCount nodes { id } } }
		}
		agent(id: "agent:ada") { name }
		nobody: agent(id: "bob") { name }
		foreign: agent(id: "ada") { episodes(filter: { agentId: "bob" }) { totalCount } }
		agents { totalCount edges { cursor node { id } } nodes { id } pageInfo { endCursor } }
	}`, nil, &data)
	types := make([]string, len(data.Nodes))
	for i, node := range data.Nodes {
		if node != nil {
			types[i] = node.Typename
		}
	}
	assert.Equal(t, []string{"Feedback", "Session", "", "Agent", "Canvas", "Episode"}, types)
	assert.Equal(t, 2, data.Nodes[1].Episodes.TotalCount)
	assert.Equal(t, []string{"a", "b"}, data.Nodes[3].TaskTypes)
	assert.Len(t, data.Nodes[3].Episodes.Nodes, 1)
	require.NotNil(t, data.Agent)
	assert.Equal(t, "ada", data.Agent.Name)
	assert.Nil(t, data.Nobody)
	assert.Zero(t, data.Foreign.Episodes.TotalCount)
	assert.Equal(t, 1, data.Agents.TotalCount)
	assert.Equal(t, "agent:ada", data.Agents.Edges[0].Node.ID)
}

func testLinks(t *testing.T, w *world) {
	for i, id := range []string{"one", "two", "three"} {
		w.episode(t, id, "Part "+id+".", vars{"sessionId": "s", "startedAt": now.Add(time.Duration(i-10) * time.Hour)})
	}
	w.episode(t, "sum", "All of them.", vars{"causedBy": []string{"episode:three", "one", "unborn"}})
	type linked struct{ ID string }
	var data struct {
		Sum struct{ CausedBy struct{ Nodes []linked } }
		One struct {
			Causes struct {
				Nodes []struct{ CanvasContext, FeedbackContext []linked }
			}
			Previous, Next *linked
		}
		Two struct {
			Previous, Next *struct {
				ID                     string
				CanvasIDs, FeedbackIDs []string
				Reward                 float64
				Agent                  linked
			}
		}
	}
	w.canvas(t, vars{"canvasId": "c", "episodeId": "three", "canvasType": "docs"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(60)})
	w.ask(t, `{
		sum: episode(id: "sum") { causedBy { nodes { id } } }
		one: episode(id: "one") { causes { nodes { canvasContext { id } feedbackContext { id } } } previous { id } next { id } }
		two: episode(id: "two") { previous { id } next { id canvasIds feedbackIds reward agent { id } } }
	}`, nil, &data)
	assert.Equal(t, []linked{{"episode:one"}, {"episode:three"}}, data.Sum.CausedBy.Nodes)
	require.Len(t, data.One.Causes.Nodes, 1)
	assert.Nil(t, data.One.Previous)
	assert.Equal(t, "episode:two", data.One.Next.ID)
	assert.Equal(t, "episode:one", data.Two.Previous.ID)
	assert.Equal(t, []string{"canvas:c"}, data.Two.Next.CanvasIDs)
	assert.InDelta(t, 0.1, data.Two.Next.Reward, 1e-12)
	assert.Equal(t, "agent:ada", data.Two.Next.Agent.ID)

	for i := range 23 {
		w.episode(t, fmt.Sprintf("after-%02d", i), "It followed.", vars{"causedBy": []string{"two", "three"}})
	}
	var effects []string
	for sent, more := (*string)(nil), true; more; {
		var data struct{ Two struct{ Causes page } }
		w.ask(t, `query ($after: String) { two: episode(id: "two") { causes(first: 5, after: $after) {
			totalCount nodes { id } pageInfo { hasNextPage endCursor } } } }`, vars{"after": sent}, &data)
		page := data.Two.Causes
		assert.Equal(t, 23, page.TotalCount)
		for _, node := range page.Nodes {
			effects = append(effects, node.ID)
		}
		sent, more = page.PageInfo.EndCursor, page.PageInfo.HasNextPage
	}
	assert.Len(t, effects, 23)
	assert.True(t, slices.IsSorted(effects))
	var first struct {
		Two struct {
			Causes struct{ PageInfo struct{ EndCursor string } }
		}
	}
	w.ask(t, `{ two: episode(id: "two") { causes(first: 1) { pageInfo { endCursor } } } }`, nil, &first)
	refused := w.refuse(t, `query ($after: String) { episode(id: "three") { causes(after: $after) { totalCount } } }`,
		vars{"after": first.Two.Causes.PageInfo.EndCursor})
	assert.Equal(t, "INVALID_INPUT", refused.Extensions.Code)
	assert.Equal(t, "after", refused.Extensions.Field)
	refused = w.refuse(t, `{ episode(id: "three") { causes(first: 101) { totalCount } } }`, nil)
	assert.Equal(t, "first", refused.Extensions.Field)
}

// testPageWalks walks lists page by page, in every order, with many ties.
func testPageWalks(t *testing.T, w *world) {
	const episodes, size = 45, 7
	for i := range episodes {
		id := fmt.Sprintf("e%02d", i)
		w.episode(t, id, "Walk with me.", vars{"agentId": fmt.Sprintf("agent-%02d", i/2), "startedAt": now.Add(-time.Duration(i/4) * time.Hour)})
		if i%3 == 0 {
			w.feedback(t, vars{"episodeId": id, "type": "RATING", "rating": i%5 + 1})
		}
	}
	for _, order := range []string{"STARTED_AT_DESC", "STARTED_AT_ASC", "FEEDBACK_DESC"} {
		once := w.walk(t, fmt.Sprintf("episodes(orderBy: %s, first: 100, after: $after)", order), episodes)
		assert.Len(t, once, episodes, order)
		assert.Equal(t, once, w.walk(t, fmt.Sprintf("episodes(orderBy: %s, first: %d, after: $after)", order, size), episodes), order)
	}
	agents := w.walk(t, fmt.Sprintf("agents(first: %d, after: $after)", size), 23)
	assert.Len(t, agents, 23)
	assert.True(t, slices.IsSorted(agents))
}

type page struct {
	TotalCount int
	Edges      []struct {
		Cursor string
		Node   struct{ ID string }
	}
	Nodes    []struct{ ID string }
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
}

// walk reads a list to its end, and sees to it that edges, nodes and pageInfo agree.
func (w *world) walk(t *testing.T, list string, total int) []string {
	t.Helper()
	query := "query ($after: String) { list: " + list + ` {
		totalCount edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
	var ids []string
	var after *string
	for {
		var data struct{ List page }
		w.ask(t, query, vars{"after": after}, &data)
		page := data.List
		assert.Equal(t, total, page.TotalCount)
		assert.Equal(t, after != nil, page.PageInfo.HasPreviousPage)
		require.Len(t, page.Nodes, len(page.Edges))
		require.NotEmpty(t, page.Edges)
		for i, edge := range page.Edges {
			assert.Equal(t, edge.Node.ID, page.Nodes[i].ID)
			ids = append(ids, edge.Node.ID)
		}
		assert.Equal(t, page.Edges[0].Cursor, *page.PageInfo.StartCursor)
		assert.Equal(t, page.Edges[len(page.Edges)-1].Cursor, *page.PageInfo.EndCursor)
		if !page.PageInfo.HasNextPage {
			return ids
		}
		after = page.PageInfo.EndCursor
	}
}

// recallStatements is how many statements a recall takes: count words, find them, read what is near in meaning, what
// ranking needs, what became of those informed, and the answer; for patterns, count and find words again.
const recallStatements = 8

// testRoundTrips counts the statements that a read sends to a store that says so.
func testRoundTrips(t *testing.T, w *world) {
	for i := range 100 {
		id := fmt.Sprintf("e%d", i)
		w.episode(t, id, fmt.Sprintf("Booking number %d cannot be changed.", i), vars{"sessionId": "s", "taskType": "airline", "causedBy": []string{"e0"}[:min(i, 1)]})
		if i < 3 {
			w.canvas(t, vars{"canvasId": id, "episodeId": id, "canvasType": "docs"}, vars{"action": "PRESENT"})
			w.feedback(t, vars{"episodeId": id, "canvasId": id, "type": "THUMBS_UP"})
		}
	}
	const enriched = `id title agent { id name } observation canvasIds canvasContext { id reward actions { at } }
		feedbackIds feedbackContext { id score } aggregateFeedbackScore reward`
	for _, read := range []struct {
		name, query string
		most        int64
	}{
		{"an enriched episode", `{ episode(id: "e1") { ` + enriched + ` } }`, 1},
		{"a recall", `{ recall(input: { situation: "change booking number 2" }) { hits { rank score { total } reasons episode { ` + enriched + ` } } lessons canvasInsights { engages } } }`, recallStatements},
		{"lessons", `{ recall(input: { situation: "change booking number 2" }) { lessons } }`, recallStatements},
		{"ids of what a recall leaves out", `{ recall(input: { situation: "change booking number 2", includeCanvas: false, includeFeedback: false }) { hits { episode { canvasIds canvasContext { id } feedbackIds feedbackContext { id } } } lessons } }`, recallStatements + 1},
		{"a page of 100 enriched episodes", `{ episodes(first: 100) { nodes { ` + enriched + ` } } }`, 1},
		{"such a page by edges, counted", `{ episodes(first: 100) { totalCount edges { cursor node { ` + enriched + ` } } } }`, 2},
		{"links of a page", `{ episodes(first: 100) { nodes { causes { totalCount nodes { id } } causedBy(first: 100) { totalCount nodes { id } } previous { id } next { id } } } }`, 7},
		{"what links lead to", `{ episodes(first: 100) { nodes { causedBy { nodes { canvasIds reward feedbackContext { canvas { id } } } } } } }`, 4},
		{"the quality of a page", `{ episodes(first: 100) { nodes { quality { value consistency } } } }`, 3},
		{"agents of feedback", `{ episodes(first: 100) { nodes { feedbackContext { canvas { episode { agent { taskTypes } } } } } } }`, 5},
	} {
		w.within(t, read.name, read.query, read.most)
	}
}

// within asks something that may take so many statements at most, where the store says how many it took. Loaders gather
// for long enough that a busy machine cuts no batch in two.
func (w *world) within(t *testing.T, name, query string, most int64) {
	t.Run(name, func(t *testing.T) {
		patient := &world{tenant: w.tenant, suite: &suite{
			handler: gqlhttp.NewHandler(w.service, gqlhttp.Options{Gathering: 200 * time.Millisecond}),
			service: w.service, backend: w.backend, sent: w.sent, seen: w.seen,
		}}
		patient.ask(t, query, nil, nil) // the first recall of a process may also look at a sample of the tenant
		if w.sent == nil {
			return
		}
		took := most + 1
		for try := 0; try < 3 && took > most; try++ { // a machine that is busy enough cuts a batch in two all the same
			before := w.sent.Load()
			patient.ask(t, query, nil, nil)
			took = w.sent.Load() - before
		}
		assert.LessOrEqual(t, took, most)
	})
}

// testKnowledgeRoundTrips: what is selected of a list of concepts or records costs no read for each.
func testKnowledgeRoundTrips(t *testing.T, w *world) {
	w.memoir(t, "m")
	var about []string
	for i := range 40 {
		id := fmt.Sprintf("c%d", i)
		w.concept(t, "m", id, fmt.Sprintf("The rule number %d.", i))
		if i > 0 {
			w.link(t, id, "SUPERSEDED_BY", fmt.Sprintf("c%d", i/2))
		}
		w.episode(t, "e"+id, fmt.Sprintf("Asked for the rule number %d.", i), vars{"conceptIds": []string{id, "c0"}})
		about = append(about, "concept:"+id, "episode:e"+id)
	}
	for i := range 3 {
		w.observe(t, fmt.Sprintf("o%d", i), "The rules are asked for.", vars{"aboutIds": about})
	}
	const concept = `id memoir { name } supersededBy { id } contradictedBy { id } relations { source { id } target { memoir { id } } }`
	for _, read := range []struct {
		name, query string
		most        int64
	}{
		{"a page of concepts", `{ memoir(id: "m") { concepts(first: 40) { nodes { ` + concept + ` } } } }`, 2 + 3 + 1 + 1},
		{"a search for concepts", `{ searchConcepts(query: "rule", first: 40) { nodes { concept { ` + concept + ` } } } }`, 4 + 1 + 3 + 1 + 1 + 1},
		{"concepts of a recall's hits", `{ recall(input: { situation: "rule number", topK: 40 }) { hits { episode { concepts { id supersededBy { id } } } } } }`, recallStatements + 4},
		{"what observations are about", `{ observations { nodes { about { id ... on Concept { memoir { id } } ... on Episode { agent { id } concepts { id } } } } } }`, 1 + 2 + 3},
		{"records of any kind", `{ nodes(ids: ["concept:c1", "concept:c2", "episode:ec1", "episode:ec2"]) { ... on Concept { memoir { id } } ... on Episode { agent { id } concepts { id } } } }`, 2 + 3},
		{"a neighbourhood", `{ neighbourhood(id: "memoir:m", first: 100) { nodes { node { ... on Concept { supersededBy { id } } } } edges { type } } }`, 2 + 2 + 1 + 2},
	} {
		w.within(t, read.name, read.query, read.most)
	}
}

// A name of which nothing is known is told: as an error where a similar one is known, else beside an answer of nothing.
func testUnknownNames(t *testing.T, w *world) {
	w.episode(t, "e", "The walrus came back.", vars{"agentId": "keeper", "taskType": "feeding", "outcome": "SUCCESS"})
	const recall = `query ($agent: ID, $type: String) { recall(input: {situation: "walrus", agentId: $agent, taskType: $type}) { hits { episode { id } } } }`
	refused := w.refuse(t, recall, vars{"agent": "kepeer"})
	assert.Equal(t, "NOT_FOUND", refused.Extensions.Code)
	assert.Contains(t, refused.Message, `did you mean "keeper"?`)
	assert.Contains(t, w.refuse(t, recall, vars{"type": "feedin"}).Message, `did you mean "feeding"?`)
	answer := w.post(t, recall, vars{"agent": "newcomer"})
	require.Empty(t, answer.Errors)
	assert.JSONEq(t, `{"recall": {"hits": []}}`, string(answer.Data))
	require.Len(t, answer.Extensions.Unknown, 1)
	assert.Equal(t, "agentId", answer.Extensions.Unknown[0].Field)
	assert.Empty(t, w.post(t, recall, vars{"agent": "keeper"}).Extensions.Unknown)

	w.do(t, "recordVerdict", "verdict { id }", vars{"runId": "r", "sectionId": "s", "sectionType": "t", "judgeId": "critic", "iteration": 0, "status": "SOFT_FAIL"}, nil)
	for _, misspelt := range []string{`{ verdicts(judgeId: "critik") { nodes { id } } }`, `{ judgeTendencies(judgeId: "critik") { verdicts } }`} {
		assert.Contains(t, w.refuse(t, misspelt, nil).Message, `did you mean "critic"?`)
	}

	a := w.agent(t)
	assert.Contains(t, a.refuse(t, "recall", vars{"situation": "walrus", "agentId": "kepeer"}).Message, `did you mean "keeper"?`)
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "recall", Arguments: vars{"situation": "walrus", "agentId": "newcomer"}})
	require.NoError(t, err)
	require.False(t, result.IsError)
	require.Len(t, result.Content, 2)
	assert.Equal(t, &mcp.TextContent{Text: `agentId: the agent "newcomer" does not exist (yet).`}, result.Content[1])
}
