package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// TestStoresLearnAlike: from one and the same past both stores give the same answers, to the byte.
func TestStoresLearnAlike(t *testing.T) {
	server := testneo4j.Reach(t)
	ours, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	theirs, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	p := newPast()
	a, b := newSuite(t, ours, nil).world(), newSuite(t, theirs, nil).world()
	var both sync.WaitGroup
	for _, w := range []*world{a, b} {
		both.Go(func() { w.live(t, p) })
	}
	both.Wait()
	require.False(t, t.Failed())
	for _, asked := range questions(t, a) {
		first, second := a.post(t, asked.query, asked.variables), b.post(t, asked.query, asked.variables)
		require.Empty(t, first.Errors, asked.query)
		if !assert.JSONEq(t, string(first.Data), string(second.Data), "%s %v", asked.query, asked.variables) {
			return
		}
	}
	checkRanking(t, a, p)
}

// TestPastOnSQLite: the answers are those of the plain formula.
func TestPastOnSQLite(t *testing.T) {
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	p := newPast()
	w := newSuite(t, backend, nil).world()
	w.live(t, p)
	checkRanking(t, w, p)
}

// live records a past.
func (w *world) live(t *testing.T, p *past) {
	w.all(t, "recordExecutions", "executions", p.executions)
	w.all(t, "recordEpisodes", "episodes", p.episodes)
	w.all(t, "recordVerdicts", "verdicts", p.verdicts)
	for _, id := range p.deleted {
		w.done(t, "deleteEpisode", "deletedId", vars{"id": id})
	}
	for _, label := range p.labels {
		w.done(t, "labelVerdict", "verdict { id }", label)
	}
	for _, run := range p.completed {
		w.done(t, "completeRun", "sections", vars{"runId": run})
	}
}

// all records a long list in batches.
func (w *world) all(t *testing.T, mutation, list string, inputs []vars) {
	for some := range slices.Chunk(inputs, 1000) {
		answer := w.done(t, mutation, "result { failed errors { index message } }", vars{list: some})
		var data map[string]struct{ Result batch }
		if assert.NoError(t, json.Unmarshal(answer.Data, &data)) {
			assert.Empty(t, data[mutation].Result.Errors)
		}
	}
}

// done sends a mutation that must succeed. It may be called from any goroutine.
func (w *world) done(t *testing.T, mutation, selection string, input vars) response {
	answer := w.post(t, mutationOf(mutation, selection), vars{"input": input})
	assert.Empty(t, answer.Errors, mutation)
	return answer
}

type asking struct {
	query     string
	variables vars
}

// questions are all that a past can be asked, with the pages of what is long. Rankings with a situation
// are asked for in TestStoresScoreAlike.
func questions(t *testing.T, w *world) []asking {
	asked := []asking{
		{`{ alerts { kind severity subject subjectId happened do since } }`, nil},
		{`{ taskTypes judges taskTypeAlerts(threshold: 0.9) { taskType bestScore threshold agents coldStart } }`, nil},
		{`{ agents(first: 100) { nodes { id taskTypes learningProfiles { ` + wholeProfile + ` } } } }`, nil},
		{`{ agents(first: 10) { nodes { id graduation { level quality qualityWeighted episodes criteria { value met gap } } } } }`, nil},
		{`{ trends { at episodes successRate feedbackScore approvalRate judgeScore } }`, nil},
		{`{ trends(agentId: "agent-01", taskType: "task-01", judgeId: "judge-1", bucket: WEEK) { at episodes successRate approvalRate judgeScore } }`, nil},
		{`{ runs(first: 1) { totalCount } verdicts(first: 1) { totalCount } patterns(first: 1) { totalCount } donts: patterns(kind: DONT, first: 1) { totalCount } }`, nil},
	}
	for i := range pastTaskTypes {
		taskType := fmt.Sprintf("task-%02d", i)
		asked = append(asked,
			asking{`query ($t: String!) { rankAgents(taskType: $t) { ` + wholeRanking + ` } }`, vars{"t": taskType}},
			asking{`query ($t: String!, $at: DateTime) { rankAgents(taskType: $t, asOf: $at) { ` + wholeRanking + ` } }`, vars{"t": taskType, "at": daysAgo(12)}})
	}
	for i := range 4 {
		asked = append(asked, asking{`query ($j: ID!) { judgeTendencies(judgeId: $j) { verdicts averageScore scoreStdDev approvalRate commonCritiqueAreas
			scoreBySectionType { sectionType averageScore count } calibration { leniency proposedThreshold reason }
			humanAgreement { labelled agreement kappa kappaLow kappaHigh precision recall drift } } }`, vars{"j": fmt.Sprintf("judge-%d", i)}})
	}
	const guiding = `query ($r: ID, $s: ID, $t: String!, $c: JSON) { guidance(runId: $r, sectionId: $s, sectionType: $t, context: $c) { warnings dos donts patterns { id } promptBlock } }`
	for i, kind := range []string{"intro", "verse", "chorus", "outro"} {
		asked = append(asked, asking{guiding, vars{"t": kind}}, asking{guiding, vars{"t": kind, "c": vars{"energy": "high"}}})
		for run := range 5 {
			asked = append(asked, asking{guiding, vars{"r": fmt.Sprintf("run-%03d", sized(pastRuns)/5*run), "s": fmt.Sprintf("%s_%d", kind, i), "t": kind, "c": vars{"energy": "low"}}})
		}
	}
	asked = append(asked, pages(t, w, `query ($after: String) { list: patterns(first: 100, after: $after) { nodes { `+wholePattern+` } pageInfo { hasNextPage endCursor } } }`)...)
	asked = append(asked, pages(t, w, `query ($after: String) { list: runs(first: 100, after: $after) { nodes { `+wholeRun+` } pageInfo { hasNextPage endCursor } } }`)...)
	asked = append(asked, pages(t, w, `query ($after: String) { list: verdicts(judgeId: "judge-2", first: 100, after: $after) { nodes { `+wholeVerdict+` } pageInfo { hasNextPage endCursor } } }`)...)
	for _, archived := range []string{"false", "true"} {
		asked = append(asked, pages(t, w, `query ($after: String) { learningProfile(agentId: "agent-01", taskType: "task-02") {
			list: executions(archived: `+archived+`, first: 100, after: $after) { totalCount nodes { `+wholeExecution+` } pageInfo { hasNextPage endCursor } } } }`)...)
	}
	return asked
}

// pages walks a list that is called "list", and gives a question for each of its pages.
func pages(t *testing.T, w *world, query string) []asking {
	t.Helper()
	type list struct {
		PageInfo struct {
			HasNextPage bool
			EndCursor   string
		}
	}
	var asked []asking
	for after := any(nil); ; {
		asked = append(asked, asking{query, vars{"after": after}})
		var data struct {
			List            *list
			LearningProfile *struct{ List list }
		}
		w.ask(t, query, vars{"after": after}, &data)
		if data.LearningProfile != nil {
			data.List = &data.LearningProfile.List
		}
		if !data.List.PageInfo.HasNextPage {
			return asked
		}
		after = data.List.PageInfo.EndCursor
	}
}

// checkRanking compares every ranking with the plain formula over the executions themselves.
func checkRanking(t *testing.T, w *world, p *past) {
	t.Helper()
	total := 0
	for i := range pastTaskTypes {
		taskType := fmt.Sprintf("task-%02d", i)
		var data struct{ RankAgents []ranked }
		w.ask(t, `query ($t: String!) { rankAgents(taskType: $t) { agent { id name } rank score profile { executionsTotal } } }`, vars{"t": taskType}, &data)
		for place, agent := range data.RankAgents {
			score, executions := p.score(agent.Agent.Name, taskType)
			assert.InDelta(t, score, agent.Score, 1e-9, "%s at %s", agent.Agent.ID, taskType)
			assert.Equal(t, executions, agent.Profile.ExecutionsTotal, "%s at %s", agent.Agent.ID, taskType)
			assert.Equal(t, place+1, agent.Rank)
			if place > 0 {
				assert.GreaterOrEqual(t, data.RankAgents[place-1].Score, agent.Score)
			}
			total += executions
		}
	}
	assert.Equal(t, sized(pastExecutions)-pastDeleted, total, "everybody is ranked")
}
