package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// profile is a learning profile as a client reads it.
type profile struct {
	ID                                     string
	Agent                                  named
	TaskType                               string
	ExecutionsTotal, ExecutionsSuccessful  int
	AvgQuality                             float64
	AvgLatencyMs                           *float64
	Expertise, Confidence, Score           float64
	ColdStart                              bool
	Trend                                  string
	LastUpdated                            time.Time
	Executions, Archived, Page, PageBehind executions
}

type executions struct {
	TotalCount int
	Nodes      []execution
	Edges      []struct {
		Cursor string
		Node   execution
	}
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

type execution struct {
	ID, TaskType string
	Agent        named
	Episode      *struct{ ID string }
	Success      bool
	Quality      float64
	LatencyMs    *float64
	At           time.Time
	Archived     bool
}

const (
	wholeProfile = `id agent { id name } taskType executionsTotal executionsSuccessful avgQuality avgLatencyMs expertise confidence
		score coldStart trend lastUpdated`
	wholeExecution = `id agent { id name } taskType episode { id } success quality latencyMs at archived`
)

type ranked struct {
	Agent                        named
	Rank                         int
	Score, Expertise, Confidence float64
	Profile                      *profile
	Reasons                      []string
}

// executed records executions of an agent, one a minute up to a time.
func (w *world) executed(t *testing.T, agent, taskType string, n int, quality float64, until time.Time) {
	t.Helper()
	inputs := make([]vars, n)
	for i := range inputs {
		inputs[i] = vars{
			"id": fmt.Sprintf("%s-%s-%d-%d", agent, taskType, until.Unix(), i), "agentId": agent, "taskType": taskType,
			"success": quality >= 0.5, "quality": quality, "at": until.Add(time.Duration(i+1-n) * time.Minute),
		}
	}
	var payload struct{ Result batch }
	w.do(t, "recordExecutions", "result { succeeded failed ids errors { index code message field } }", vars{"executions": inputs}, &payload)
	require.Empty(t, payload.Result.Errors)
	require.Equal(t, "execution:"+inputs[0]["id"].(string), *payload.Result.IDs[0]) //nolint:forcetypeassert // made above
}

func daysAgo(days int) time.Time { return now.AddDate(0, 0, -days) }

// testProfiles: ten executions of quality 0.8 are expertise 0.8 at confidence 0.5.
func testProfiles(t *testing.T, w *world) {
	var recorded struct {
		Execution execution
		Profile   profile
	}
	const whole = "execution { " + wholeExecution + " } profile { " + wholeProfile + " }"
	input := vars{"id": "x", "agentId": "agent:ada", "taskType": "refund", "success": true, "quality": 0.8, "latencyMs": 1500, "at": daysAgo(1)}
	for range 2 { // the same content again is the same execution
		w.do(t, "recordExecution", whole, input, &recorded)
		assert.Equal(t, "execution:x", recorded.Execution.ID)
		assert.InDelta(t, 1500, *recorded.Execution.LatencyMs, 1e-9)
		assert.Equal(t, 1, recorded.Profile.ExecutionsTotal)
	}
	w.executed(t, "ada", "refund", 9, 0.8, daysAgo(2))
	var data struct {
		LearningProfile        *profile
		None                   *profile
		Node                   profile
		Agent                  struct{ LearningProfiles []profile }
		TaskTypes              []string
		LearningProfiles, Warm struct {
			TotalCount int
			Nodes      []struct{ ID string }
			Edges      []struct {
				Cursor string
				Node   struct{ ID string }
			}
			PageInfo struct {
				HasNextPage bool
				EndCursor   *string
			}
		}
	}
	w.ask(t, `{
		learningProfiles(taskType: "refund", trend: FLAT, cold: true, first: 1) { totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage endCursor } }
		warm: learningProfiles(cold: false) { totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage endCursor } }
		learningProfile(agentId: "ada", taskType: "refund") { `+wholeProfile+` executions(first: 2) { totalCount nodes { `+wholeExecution+` } edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }
		none: learningProfile(agentId: "ada", taskType: "tax") { id }
		node(id: "learningProfile:ada/refund") { id ... on LearningProfile { taskType score } }
		agent(id: "ada") { learningProfiles { id agent { id name } } }
		taskTypes
	}`, nil, &data)
	p := data.LearningProfile
	assert.Equal(t, "learningProfile:ada/refund", p.ID)
	assert.Equal(t, named{"agent:ada", "ada"}, p.Agent)
	assert.Equal(t, []any{10, 10, true, "FLAT"}, []any{p.ExecutionsTotal, p.ExecutionsSuccessful, p.ColdStart, p.Trend})
	for name, pair := range map[string][2]float64{
		"expertise": {0.8, p.Expertise}, "confidence": {0.5, p.Confidence}, "score": {0.4, p.Score}, "quality": {0.8, p.AvgQuality},
		"latency": {1500, *p.AvgLatencyMs}, "of the node": {0.4, data.Node.Score},
	} {
		assert.InDelta(t, pair[0], pair[1], 1e-9, name)
	}
	assert.Equal(t, daysAgo(1), p.LastUpdated)
	assert.Equal(t, 10, p.Executions.TotalCount)
	assert.Equal(t, "execution:x", p.Executions.Nodes[0].ID, "the latest first")
	assert.True(t, p.Executions.PageInfo.HasNextPage)
	assert.Nil(t, data.None)
	require.Len(t, data.Agent.LearningProfiles, 1)
	assert.Equal(t, []string{"refund"}, data.TaskTypes)
	require.Equal(t, 1, data.LearningProfiles.TotalCount)
	assert.Equal(t, p.ID, data.LearningProfiles.Nodes[0].ID)
	assert.Equal(t, p.ID, data.LearningProfiles.Edges[0].Node.ID)
	assert.Equal(t, data.LearningProfiles.Edges[0].Cursor, *data.LearningProfiles.PageInfo.EndCursor)
	assert.False(t, data.LearningProfiles.PageInfo.HasNextPage)
	assert.Zero(t, data.Warm.TotalCount)
	assert.Equal(t, "INVALID_INPUT", w.refuse(t, `{ learningProfiles(first: 101) { totalCount } }`, nil).Extensions.Code)
}

// testEpisodesAreExecutions: an episode counts once, also when it is concluded later, and no more when it is gone.
func testEpisodesAreExecutions(t *testing.T, w *world) {
	total := func() (count, successful int) {
		var data struct{ LearningProfile *profile }
		w.ask(t, `{ learningProfile(agentId: "ada", taskType: "refund") { executionsTotal executionsSuccessful } }`, nil, &data)
		if data.LearningProfile == nil {
			return 0, 0
		}
		return data.LearningProfile.ExecutionsTotal, data.LearningProfile.ExecutionsSuccessful
	}
	expect := func(count, successful int) {
		t.Helper()
		gotCount, gotSuccessful := total()
		assert.Equal(t, []int{count, successful}, []int{gotCount, gotSuccessful})
	}
	w.episode(t, "open", "A refund is wanted.", vars{"taskType": "refund"})
	expect(0, 0)
	w.do(t, "concludeEpisode", "episode { id }", vars{"id": "open", "outcome": "SUCCESS", "quality": 0.7, "endedAt": now.Add(-30 * time.Minute)}, nil)
	expect(1, 1)
	for range 2 {
		w.episode(t, "lost", "A refund is wanted.", vars{"taskType": "refund", "outcome": "FAILURE"})
	}
	expect(2, 1)
	w.episode(t, "free", "A refund is wanted.", vars{"outcome": "SUCCESS"})
	expect(2, 1)
	var data struct{ Node execution }
	w.ask(t, `{ node(id: "execution:episode:open") { ... on Execution { `+wholeExecution+` } } }`, nil, &data)
	assert.Equal(t, "episode:open", data.Node.Episode.ID)
	assert.InDelta(t, 0.7, data.Node.Quality, 1e-12)
	assert.InDelta(t, 30*60*1000, *data.Node.LatencyMs, 1e-6)
	assert.Equal(t, now.Add(-30*time.Minute), data.Node.At)
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "open"}, nil)
	expect(1, 0)
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "lost"}, nil)
	expect(0, 0)
}

// testArchive: 120 executions keep 100 and archive 20; deletion refills.
func testArchive(t *testing.T, w *world) {
	inputs := make([]vars, 120)
	for i := range inputs {
		inputs[i] = vars{
			"id": fmt.Sprintf("e%03d", i), "agentId": "ada", "observation": "Again.", "taskType": "refund", "outcome": "SUCCESS",
			"startedAt": now.Add(time.Duration(i-120) * time.Hour),
		}
	}
	var payload struct{ Result batch }
	w.do(t, "recordEpisodes", "result { succeeded }", vars{"episodes": inputs}, &payload)
	require.Equal(t, 120, payload.Result.Succeeded)
	read := func() profile {
		t.Helper()
		var data struct{ LearningProfile profile }
		w.ask(t, `{ learningProfile(agentId: "ada", taskType: "refund") { executionsTotal
			executions(first: 100) { totalCount nodes { id archived } pageInfo { hasNextPage } }
			archived: executions(first: 100, archived: true) { totalCount nodes { id archived } }
			page: executions(first: 15, archived: true) { nodes { id } pageInfo { hasNextPage endCursor } } } }`, nil, &data)
		return data.LearningProfile
	}
	before := read()
	assert.Equal(t, []int{120, 100, 20}, []int{before.ExecutionsTotal, before.Executions.TotalCount, before.Archived.TotalCount})
	assert.False(t, before.Executions.PageInfo.HasNextPage)
	assert.Equal(t, "execution:episode:e119", before.Executions.Nodes[0].ID)
	assert.Equal(t, "execution:episode:e019", before.Archived.Nodes[0].ID)
	assert.True(t, before.Archived.Nodes[0].Archived)
	var rest struct {
		LearningProfile struct{ Executions executions }
	}
	w.ask(t, `query ($after: String) { learningProfile(agentId: "ada", taskType: "refund") { executions(archived: true, after: $after) { nodes { id } pageInfo { hasNextPage } } } }`,
		vars{"after": before.Page.PageInfo.EndCursor}, &rest)
	assert.Len(t, rest.LearningProfile.Executions.Nodes, 5)
	assert.Equal(t, "execution:episode:e000", rest.LearningProfile.Executions.Nodes[4].ID)

	w.do(t, "deleteEpisode", "deletedId", vars{"id": "e050"}, nil) // from the window
	w.do(t, "deleteEpisode", "deletedId", vars{"id": "e005"}, nil) // from the archive
	after := read()
	assert.Equal(t, []int{118, 100, 18}, []int{after.ExecutionsTotal, after.Executions.TotalCount, after.Archived.TotalCount})
	assert.Equal(t, "execution:episode:e019", after.Executions.Nodes[99].ID, "the archive refilled the window")
	assert.False(t, after.Executions.Nodes[99].Archived)
}

const wholeRanking = `agent { id name } rank score expertise confidence profile { ` + wholeProfile + ` } reasons`

// testSelection: an agent that was good long ago and is bad this week loses to its opposite.
func testSelection(t *testing.T, w *world) {
	w.executed(t, "faded", "refund", 20, 0.9, daysAgo(30))
	w.executed(t, "faded", "refund", 7, 0.2, daysAgo(1))
	w.executed(t, "grown", "refund", 20, 0.2, daysAgo(30))
	w.executed(t, "grown", "refund", 7, 0.9, daysAgo(1))
	w.executed(t, "other", "tax", 3, 0.4, daysAgo(1))
	var data struct {
		RankAgents, Top, Then, Nobody []ranked
		SelectAgent, Explored         ranked
		TaskTypeAlerts                []struct {
			TaskType             string
			BestScore, Threshold float64
			Agents               int
			ColdStart            bool
		}
	}
	w.ask(t, `query ($then: DateTime) {
		rankAgents(taskType: "refund") { `+wholeRanking+` }
		top: rankAgents(taskType: "refund", first: 1) { rank }
		then: rankAgents(taskType: "refund", asOf: $then) { agent { id } score profile { executionsTotal lastUpdated trend executions(first: 3) { totalCount nodes { at } } } }
		nobody: rankAgents(taskType: "rocketry") { rank }
		selectAgent(taskType: "refund") { agent { id } rank score }
		explored: selectAgent(taskType: "rocketry", explore: true) { agent { id } score expertise confidence profile { id } reasons }
		taskTypeAlerts { taskType bestScore threshold agents coldStart }
	}`, vars{"then": daysAgo(20)}, &data)
	require.Len(t, data.RankAgents, 2)
	grown, faded := data.RankAgents[0], data.RankAgents[1]
	assert.Equal(t, "agent:grown", grown.Agent.ID)
	assert.Greater(t, grown.Score, 0.85)
	assert.Less(t, faded.Score, 0.25)
	assert.Equal(t, []string{"UP", "DOWN"}, []string{grown.Profile.Trend, faded.Profile.Trend})
	assert.InDelta(t, grown.Expertise*grown.Confidence, grown.Score, 1e-9)
	assert.Contains(t, grown.Reasons[0], "over 27 executions, 7 of them this week; confidence 1.0")
	assert.Len(t, data.Top, 1)
	assert.Empty(t, data.Nobody)
	assert.Equal(t, grown.Agent.ID, data.SelectAgent.Agent.ID)

	require.Len(t, data.Then, 2)
	assert.Equal(t, "agent:faded", data.Then[0].Agent.ID, "it was better then")
	assert.InDelta(t, 0.9, data.Then[0].Score, 1e-9)
	assert.Equal(t, 20, data.Then[0].Profile.ExecutionsTotal)
	assert.Equal(t, daysAgo(30), data.Then[0].Profile.LastUpdated)
	assert.Equal(t, 20, data.Then[0].Profile.Executions.TotalCount)
	assert.Equal(t, daysAgo(30), data.Then[0].Profile.Executions.Nodes[0].At)

	assert.Nil(t, data.Explored.Profile)
	assert.Equal(t, []float64{0, 0, 0}, []float64{data.Explored.Score, data.Explored.Expertise, data.Explored.Confidence}, "0 executions score 0")
	require.Len(t, data.TaskTypeAlerts, 1)
	assert.Equal(t, "tax", data.TaskTypeAlerts[0].TaskType)
	assert.InDelta(t, 0.4*3/20, data.TaskTypeAlerts[0].BestScore, 1e-9)
	assert.InDelta(t, 0.5, data.TaskTypeAlerts[0].Threshold, 1e-9)
	assert.Equal(t, 1, data.TaskTypeAlerts[0].Agents)
	assert.True(t, data.TaskTypeAlerts[0].ColdStart)
	refused := w.refuse(t, `{ selectAgent(taskType: "rocketry") { rank } }`, nil)
	assert.Equal(t, "NO_AGENTS_AVAILABLE", refused.Extensions.Code)
	assert.Equal(t, "taskType", refused.Extensions.Field)
}

// testSituation: with a situation the better agent is the one that did well in such.
func testSituation(t *testing.T, w *world) {
	for i := range 6 {
		for agent, outcome := range map[string]string{"ada": "SUCCESS", "bob": "FAILURE"} {
			w.episode(t, fmt.Sprintf("%s-strike-%d", agent, i), "The flight is cancelled because of a strike",
				vars{"agentId": agent, "taskType": "travel", "outcome": outcome})
		}
		for agent, outcome := range map[string]string{"ada": "FAILURE", "bob": "SUCCESS"} {
			w.episode(t, fmt.Sprintf("%s-seat-%d", agent, i), "A window seat is wanted", vars{"agentId": agent, "taskType": "travel", "outcome": outcome})
		}
	}
	var data struct{ Strike, Seat, Plain ranked }
	w.ask(t, `{
		strike: selectAgent(taskType: "travel", situation: "a strike cancelled the flight") { agent { id } score expertise confidence reasons }
		seat: selectAgent(taskType: "travel", situation: "she wants a seat at the window") { agent { id } }
		plain: selectAgent(taskType: "travel") { score expertise confidence }
	}`, nil, &data)
	assert.Equal(t, "agent:ada", data.Strike.Agent.ID)
	assert.Equal(t, "agent:bob", data.Seat.Agent.ID)
	assert.Contains(t, data.Strike.Reasons[len(data.Strike.Reasons)-1], "expected quality here")
	assert.InDelta(t, data.Plain.Expertise*data.Plain.Confidence, data.Plain.Score, 1e-9)
}

// testGraduation: every number of the answer can be checked by hand.
func testGraduation(t *testing.T, w *world) {
	for i := range 12 {
		outcome := "SUCCESS"
		if i < 3 {
			outcome = "FAILURE"
		}
		w.episode(t, fmt.Sprintf("e%d", i), "Do it.", vars{"outcome": outcome})
	}
	w.canvas(t, vars{"canvasId": "good", "episodeId": "e5", "canvasType": "forms"}, vars{"action": "PRESENT"}, vars{"action": "SUBMIT", "at": after(9)})
	w.canvas(t, vars{"canvasId": "bad", "episodeId": "e5", "canvasType": "sheets"}, vars{"action": "PRESENT"}, vars{"action": "CLOSE", "at": after(2)})
	w.feedback(t, vars{"episodeId": "e0", "type": "THUMBS_DOWN", "corrections": "Not like that.", "source": "WORKFLOW"})
	w.feedback(t, vars{"episodeId": "e6", "type": "THUMBS_UP", "corrections": "Only smaller."})
	type part struct {
		Name            string
		Value, Required float64
		Met             bool
		Gap             float64
	}
	var data struct {
		Agent struct {
			Graduation struct {
				Level, NextLevel                           string
				Quality, QualityWeighted, InterventionRate float64
				Episodes, Interventions                    int
				InterventionsBySource                      []struct {
					Source   string
					Episodes int
					Rate     float64
				}
				Completion, CanvasSuccess, FeedbackQuality, Consistency float64
				Criteria                                                []part
			}
		}
	}
	w.ask(t, `{ agent(id: "ada") { graduation { level nextLevel quality qualityWeighted episodes interventions interventionRate
		interventionsBySource { source episodes rate } completion canvasSuccess feedbackQuality consistency
		criteria { name value required met gap } } } }`, nil, &data)
	var one struct {
		Episode struct {
			Quality struct{ Value, Completion, CanvasSuccess, FeedbackQuality, Consistency *float64 }
		}
	}
	w.ask(t, `{ episode(id: "e5") { quality { value completion canvasSuccess feedbackQuality consistency } } }`, nil, &one)
	quality := one.Episode.Quality
	assert.Equal(t, new(1.0), quality.Completion)
	assert.Equal(t, new(0.5), quality.CanvasSuccess)
	assert.Nil(t, quality.FeedbackQuality)
	require.NotNil(t, quality.Consistency)
	assert.InDelta(t, (0.4+0.3*0.5+0.1**quality.Consistency)/0.8, *quality.Value, 1e-9)
	var all struct {
		Agent struct {
			Episodes struct {
				Nodes []struct {
					Quality struct{ Value, Consistency *float64 }
				}
			}
		}
	}
	w.ask(t, `{ agent(id: "ada") { episodes(first: 100) { nodes { quality { value consistency } } } } }`, nil, &all)
	qualities := 0.0
	for _, e := range all.Agent.Episodes.Nodes {
		qualities += *e.Quality.Value
		assert.Equal(t, quality.Consistency, e.Quality.Consistency)
	}
	assert.InDelta(t, data.Agent.Graduation.QualityWeighted, qualities, 1e-9, "what graduation adds up")

	var then struct {
		Recall struct {
			Hits []struct {
				Episode struct {
					Quality struct{ Value, Completion, Consistency *float64 }
				}
			}
		}
	}
	w.ask(t, `query($at: DateTime!) { recall(input: {situation: "", asOf: $at}) { hits { episode { quality { value completion consistency } } } } }`, vars{"at": now}, &then)
	require.NotEmpty(t, then.Recall.Hits)
	for _, hit := range then.Recall.Hits {
		assert.Nil(t, hit.Episode.Quality.Consistency, "it would tell of what came later")
	}

	var weighed struct {
		Agent struct {
			Graduation struct{ Quality, QualityWeighted float64 }
		}
	}
	w.ask(t, `{ agent(id: "ada") { graduation(weights: {feedbackQuality: 2, completion: 0, canvasSuccess: 0, consistency: 0}) { quality qualityWeighted } } }`, nil, &weighed)
	assert.InDelta(t, 0.5, weighed.Agent.Graduation.Quality, 1e-9, "a thumb up and one down")
	assert.InDelta(t, 1, weighed.Agent.Graduation.QualityWeighted, 1e-9)
	refused := w.post(t, `{ agent(id: "ada") { graduation(weights: {completion: -1}) { quality } } }`, nil)
	require.Len(t, refused.Errors, 1)
	assert.Equal(t, "weights.completion", refused.Errors[0].Extensions.Field)

	g := data.Agent.Graduation
	consistency := 1 - 2*0.4330127018922193 // σ of 9 successes in 12
	// 9 episodes without more: (0.4·completion + 0.1·consistency)/0.5, 2 of them failures; e0, e5 and e6 have more.
	plain := func(completion float64) float64 { return (0.4*completion + 0.1*consistency) / 0.5 }
	sum := 7*plain(1) + 2*plain(0) +
		(0.4*0+0.2*0+0.1*consistency)/0.7 + (0.4+0.3*0.5+0.1*consistency)/0.8 + (0.4+0.2*1+0.1*consistency)/0.7
	assert.Equal(t, 12, g.Episodes)
	assert.Equal(t, 1, g.Interventions)
	assert.InDelta(t, 1.0/12, g.InterventionRate, 1e-9)
	assert.InDelta(t, 0.75, g.Completion, 1e-9)
	assert.InDelta(t, 0.5, g.CanvasSuccess, 1e-9)
	assert.InDelta(t, 0.5, g.FeedbackQuality, 1e-9)
	assert.InDelta(t, consistency, g.Consistency, 1e-9)
	assert.InDelta(t, sum, g.QualityWeighted, 1e-6)
	assert.InDelta(t, sum/12, g.Quality, 1e-6)
	assert.Equal(t, "INTERN", g.Level)
	assert.Equal(t, "SUPERVISED", g.NextLevel)
	assert.Equal(t, part{"episodes", 12, 25, false, 13}, g.Criteria[0])
	assert.True(t, g.Criteria[1].Met)
	for _, source := range g.InterventionsBySource {
		assert.Equal(t, source.Source == "WORKFLOW", source.Episodes == 1, source.Source)
	}
}

func testTrends(t *testing.T, w *world) {
	w.episode(t, "old", "One.", vars{"startedAt": daysAgo(3), "outcome": "SUCCESS", "taskType": "refund", "cost": 0.5})
	w.episode(t, "new", "Two.", vars{"startedAt": daysAgo(0), "outcome": "FAILURE", "cost": 2})
	w.episode(t, "unknown", "Three.", vars{"startedAt": daysAgo(0), "outcome": "FAILURE"})
	w.feedback(t, vars{"episodeId": "old", "type": "THUMBS_UP"})
	w.ruled(t, "v1", "song", "intro", 0, "APPROVE", vars{"score": 8, "at": daysAgo(1), "sectionType": "intro"})
	w.ruled(t, "v2", "song", "verse", 0, "SOFT_FAIL", vars{"score": 5, "at": daysAgo(1), "judgeId": "other", "context": vars{"energy": "high", "tempo": 120}})
	type point struct {
		At                                                   time.Time
		Episodes, Succeeded, Failed                          int
		SuccessRate, FeedbackScore, ApprovalRate, JudgeScore *float64
		Cost                                                 float64
		Iterations                                           *float64
	}
	var data struct{ Trends, Filtered, Verses, High, Low, Others, Weeks []point }
	w.ask(t, `query ($since: DateTime) {
		trends { at episodes succeeded failed cost successRate feedbackScore approvalRate judgeScore iterations }
		filtered: trends(taskType: "refund", judgeId: "other", since: $since) { at episodes approvalRate judgeScore }
		verses: trends(sectionType: "verse", since: $since) { at episodes approvalRate judgeScore }
		high: trends(taskType: "refund", context: {tempo: 120.0}, since: $since) { at episodes approvalRate judgeScore }
		low: trends(taskType: "refund", context: {tempo: 120, energy: "low"}, since: $since) { at approvalRate }
		others: trends(agentId: "ada", since: $since) { at episodes approvalRate }
		weeks: trends(bucket: WEEK) { at episodes }
	}`, vars{"since": daysAgo(2)}, &data)
	midnight := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	assert.Equal(t, []point{
		{At: midnight.AddDate(0, 0, -3), Episodes: 1, Succeeded: 1, Cost: 0.5, SuccessRate: new(1.0), FeedbackScore: new(1.0)},
		{At: midnight.AddDate(0, 0, -2)},
		{At: midnight.AddDate(0, 0, -1), ApprovalRate: new(0.5), JudgeScore: new(6.5), Iterations: new(1.0)},
		{At: midnight, Episodes: 2, Failed: 2, Cost: 2, SuccessRate: new(0.0)},
	}, data.Trends)
	assert.Equal(t, []point{
		{At: midnight.AddDate(0, 0, -2)},
		{At: midnight.AddDate(0, 0, -1), ApprovalRate: new(0.0), JudgeScore: new(5.0)},
		{At: midnight},
	}, data.Filtered)
	assert.Equal(t, data.Filtered, data.High)
	assert.Equal(t, new(5.0), data.Verses[1].JudgeScore)
	assert.Equal(t, 2, data.Verses[2].Episodes, "episodes are of no section")
	assert.Nil(t, data.Low[1].ApprovalRate)
	assert.Equal(t, []point{{At: midnight.AddDate(0, 0, -2)}, {At: midnight.AddDate(0, 0, -1)}, {At: midnight, Episodes: 2}}, data.Others, "judges judge no agents")
	assert.Equal(t, []point{{At: midnight.AddDate(0, 0, -7), Episodes: 1}, {At: midnight, Episodes: 2}}, data.Weeks, "the first of June 2026 is a Monday")
	var costs struct {
		Agent        struct{ Cost float64 }
		New, Unknown struct{ Cost *float64 }
	}
	w.ask(t, `{ agent(id: "ada") { cost } new: episode(id: "new") { cost } unknown: episode(id: "unknown") { cost } }`, nil, &costs)
	assert.Equal(t, 2.5, costs.Agent.Cost)
	assert.Equal(t, new(2.0), costs.New.Cost)
	assert.Nil(t, costs.Unknown.Cost, "nobody said")
}
