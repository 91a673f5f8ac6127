package service_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/learning"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

func work(id, agent, taskType string, quality float64) boundary.RecordExecutionInput {
	return boundary.RecordExecutionInput{
		ID: &id, AgentID: agent, TaskType: taskType, Success: quality >= 0.5, Quality: quality, At: new(servicetest.Noon.Add(-time.Hour)),
	}
}

func record(t *testing.T, svc *service.Tenant, executions ...boundary.RecordExecutionInput) {
	t.Helper()
	result, err := svc.Learning.RecordExecutions(t.Context(), boundary.RecordExecutionsInput{Executions: executions})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
}

func TestExecutionsCountOnce(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for range 2 {
		receipt, err := svc.Learning.RecordExecution(t.Context(), work("x1", "agent:ada", "refund", 0.8))
		require.NoError(t, err)
		require.Equal(t, "execution:x1", receipt.Execution.ID())
		require.Equal(t, "ada", receipt.Execution.AgentKey)
		require.Equal(t, 1, receipt.Profile.Total)
	}
	_, err := svc.Learning.RecordExecution(t.Context(), work("execution:x1", "ada", "refund", 0.7))
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")

	unnamed := work("", "ada", "refund", 0.9)
	unnamed.ID, unnamed.At = nil, nil
	receipt, err := svc.Learning.RecordExecution(t.Context(), unnamed)
	require.NoError(t, err)
	require.Equal(t, 2, receipt.Profile.Total)
	require.Equal(t, servicetest.Noon, receipt.Execution.At)
}

func TestExecutionsAreChecked(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for field, change := range map[string]func(*boundary.RecordExecutionInput){
		"agentId":   func(i *boundary.RecordExecutionInput) { i.AgentID = "" },
		"taskType":  func(i *boundary.RecordExecutionInput) { i.TaskType = "a <private>b</private>" },
		"quality":   func(i *boundary.RecordExecutionInput) { i.Quality = 1.01 },
		"latencyMs": func(i *boundary.RecordExecutionInput) { i.LatencyMs = new(-1.0) },
		"id":        func(i *boundary.RecordExecutionInput) { i.ID = new("execution:episode:e1") },
		"at":        func(i *boundary.RecordExecutionInput) { i.At = new(servicetest.Noon.AddDate(9000, 0, 0)) },
	} {
		t.Run(field, func(t *testing.T) {
			input := work("x", "ada", "refund", 1)
			change(&input)
			_, err := svc.Learning.RecordExecution(t.Context(), input)
			servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
			result, err := svc.Learning.RecordExecutions(t.Context(), boundary.RecordExecutionsInput{
				Executions: []boundary.RecordExecutionInput{input, work("fine "+field, "ada", "refund", 1)},
			})
			require.NoError(t, err)
			require.Equal(t, 1, result.Succeeded)
			require.Equal(t, field, *result.Errors[0].Field)
		})
	}
}

func TestProfilesPageThroughWhatTheyAreMadeOf(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var executions []boundary.RecordExecutionInput
	for i := range 120 {
		execution := work(fmt.Sprintf("x%03d", i), "ada", "refund", 1)
		execution.At = new(servicetest.Noon.Add(time.Duration(i-120) * time.Hour))
		executions = append(executions, execution)
	}
	record(t, svc, executions...)
	profile, err := svc.Learning.Profile(t.Context(), "agent:ada", "refund")
	require.NoError(t, err)
	require.Equal(t, 120, profile.Total)

	first := reading.PageInput{First: new(60)}
	live, err := svc.Learning.ProfileExecutions(t.Context(), profile, false, first)
	require.NoError(t, err)
	require.Equal(t, "x119", live.Items[0].Key)
	rest, err := svc.Learning.ProfileExecutions(t.Context(), profile, false, reading.PageInput{First: new(60), After: &live.Cursors[59]})
	require.NoError(t, err)
	require.Len(t, rest.Items, 40)
	require.Equal(t, "x020", rest.Items[39].Key)
	require.False(t, rest.HasNext)
	archived, err := svc.Learning.ProfileExecutions(t.Context(), profile, true, first)
	require.NoError(t, err)
	require.Len(t, archived.Items, 20)
	require.True(t, archived.Items[0].Archived)
	for page, want := range map[*reading.Page[*memory.Execution]]int{live: 100, archived: 20} {
		count, err := page.Total(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, count)
	}

	none, err := svc.Learning.Profile(t.Context(), "ada", "something else")
	require.NoError(t, err)
	require.Nil(t, none)
}

// Profiles of agents and task types that have nothing in common are not a grid.
func TestProfilesAreReadByKey(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var executions []boundary.RecordExecutionInput
	var keys []string
	for i := range 80 {
		executions = append(executions, work(fmt.Sprint(i), fmt.Sprintf("agent %d", i), fmt.Sprintf("task %d", i), 1))
		keys = append(keys, memory.ProfileKey(fmt.Sprintf("agent %d", 79-i), fmt.Sprintf("task %d", 79-i)))
	}
	record(t, svc, executions...)
	profiles, err := service.ProfilesByKey(t.Context(), svc, append(keys, "nobody/nothing", "no key"))
	require.NoError(t, err)
	for i, key := range keys {
		require.Equal(t, "learningProfile:"+key, profiles[i].ID())
	}
	require.Nil(t, profiles[80])
	require.Nil(t, profiles[81])
}

func TestRankingIsTheFormula(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	record(t, svc, work("a1", "ada", "refund", 0.8), work("a2", "ada", "refund", 0.8), work("b1", "bob", "refund", 1), work("c1", "cleo", "tax", 1))
	ranking, err := svc.Learning.RankAgents(t.Context(), boundary.SelectionInput{TaskType: "refund"}, nil)
	require.NoError(t, err)
	require.Len(t, ranking, 2)
	require.Equal(t, "ada", ranking[0].AgentKey)
	require.InDelta(t, 0.8*2/20, ranking[0].Score, 1e-9)
	require.InDelta(t, 1.0/20, ranking[1].Score, 1e-9)
	blank, err := svc.Learning.RankAgents(t.Context(), boundary.SelectionInput{TaskType: "refund", Situation: new(" \n")}, new(1))
	require.NoError(t, err)
	require.Equal(t, ranking[:1], blank, "a blank situation is none")

	best, err := svc.Learning.SelectAgent(t.Context(), boundary.SelectionInput{TaskType: "refund"}, false)
	require.NoError(t, err)
	require.Equal(t, ranking[0], *best)
	for name, input := range map[string]boundary.SelectionInput{
		"an unknown task type": {TaskType: "rocketry"},
		"before all times":     {TaskType: "refund", AsOf: new(servicetest.Noon.AddDate(-1, 0, 0))},
	} {
		_, err = svc.Learning.SelectAgent(t.Context(), input, false)
		servicetest.RequireCode(t, err, memory.CodeNoAgentsAvailable, "taskType")
		ranking, err = svc.Learning.RankAgents(t.Context(), input, nil)
		require.NoError(t, err, name)
		require.Empty(t, ranking, name)
	}
	_, err = svc.Learning.RankAgents(t.Context(), boundary.SelectionInput{TaskType: "refund"}, new(101))
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "first")
}

// Only what came of similar episodes tells these two apart; episodes without an outcome tell nothing, however
// many there are.
func TestASituationLooksAtKnownOutcomes(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var episodes []boundary.RecordEpisodeInput
	for i := range 6 {
		for agent, outcome := range map[string]memory.Outcome{"ada": memory.OutcomeSuccess, "bob": memory.OutcomeFailure} {
			episodes = append(episodes,
				boundary.RecordEpisodeInput{AgentID: agent, Observation: "A passport expired on the way to Lisbon", TaskType: new("travel"), Outcome: &outcome},
				boundary.RecordEpisodeInput{AgentID: agent, Observation: "Book a plain hotel", TaskType: new("travel"), Outcome: new(opposite(outcome))})
		}
		for range 20 {
			episodes = append(episodes, boundary.RecordEpisodeInput{
				AgentID: "bob", Observation: fmt.Sprintf("A passport expired on the way to Lisbon, %d", i), TaskType: new("travel"),
			})
		}
	}
	result, err := svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: episodes})
	require.NoError(t, err)
	require.Zero(t, result.Failed)
	for situation, best := range map[string]string{"the passport expired": "ada", "a plain hotel": "bob"} {
		choice, err := svc.Learning.SelectAgent(t.Context(), boundary.SelectionInput{TaskType: "travel", Situation: &situation}, false)
		require.NoError(t, err)
		assert.Equal(t, best, choice.AgentKey, situation)
		assert.Equal(t, 6, choice.Estimate.OwnEpisodes)
		assert.Contains(t, strings.Join(choice.Reasons, "\n"), "6 past episodes in similar situations")
	}
}

func opposite(outcome memory.Outcome) memory.Outcome {
	if outcome == memory.OutcomeSuccess {
		return memory.OutcomeFailure
	}
	return memory.OutcomeSuccess
}

func TestExploringIsDrawnByTheSeed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		svc := servicetest.Open(t, service.WithSeeds(func() uint64 { return seed }))
		for _, agent := range []string{"ada", "bob", "cleo", "dan"} {
			require.NoError(t, svc.Agents.Save(t.Context(), agent, agent))
		}
		input := boundary.SelectionInput{TaskType: "refund"}
		choice, err := svc.Learning.SelectAgent(t.Context(), input, true)
		require.NoError(t, err)
		again, err := svc.Learning.SelectAgent(t.Context(), input, true)
		require.NoError(t, err)
		assert.Equal(t, choice, again)
		assert.Nil(t, choice.Profile, "it never did it")
	}
	_, err := servicetest.Open(t).Learning.SelectAgent(t.Context(), boundary.SelectionInput{TaskType: "refund"}, true)
	servicetest.RequireCode(t, err, memory.CodeNoAgentsAvailable, "taskType")
	assert.ErrorContains(t, err, "no agent is known yet", "to explore takes no work of the type")
}

func TestAlertsAreOfAllTaskTypes(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var executions []boundary.RecordExecutionInput
	for i := range 120 { // more than are looked at together
		executions = append(executions, work(fmt.Sprint(i), "ada", fmt.Sprintf("task %03d", i), float64(i%10)/10))
	}
	for i := range 20 {
		executions = append(executions, work(fmt.Sprint("good ", i), "bob", "task 007", 0.9))
	}
	record(t, svc, executions...)
	alerts, err := svc.Learning.TaskTypeAlerts(t.Context(), learning.DefaultAlertThreshold)
	require.NoError(t, err)
	require.Len(t, alerts, 119)
	require.Equal(t, "task 000", alerts[0].TaskType)
	for i, alert := range alerts[1:] {
		require.LessOrEqual(t, alerts[i].BestScore, alert.BestScore)
		require.NotEqual(t, "task 007", alert.TaskType)
		require.True(t, alert.ColdStart)
	}
	_, err = svc.Learning.TaskTypeAlerts(t.Context(), 2)
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "threshold")
}

// A result made of all profiles may read more than a request may; several of them in one request are counted.
func TestWhatGoesThroughAllProfilesIsASum(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	const taskTypes = 60
	var executions []boundary.RecordExecutionInput
	for i := range taskTypes {
		executions = append(executions, work(fmt.Sprint(i), "ada", fmt.Sprintf("task %03d", i), 0.3))
	}
	record(t, svc, executions...)
	for name, ask := range map[string]func(ctx context.Context) (found int, err error){
		"alerts": func(ctx context.Context) (int, error) {
			found, err := svc.Learning.Alerts(ctx, boundary.AlertsInput{})
			return len(found), err
		},
		"task type alerts": func(ctx context.Context) (int, error) {
			found, err := svc.Learning.TaskTypeAlerts(ctx, learning.DefaultAlertThreshold)
			return len(found), err
		},
		"a ranking": func(ctx context.Context) (int, error) {
			found, err := svc.Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: "task 007", Situation: new("a refund")}, nil)
			return len(found), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, budget, done := service.WithBudget(t.Context(), service.Limits{Records: taskTypes / 2, Summed: taskTypes + 1})
			defer done()
			found, err := ask(ctx)
			require.NoError(t, err)
			require.Positive(t, found)
			require.NoError(t, budget.Err())
			_, err = ask(ctx)
			servicetest.RequireCode(t, err, memory.CodeLimitExceeded, "")
		})
	}
}

func TestProfilesOfAllAgents(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var executions []boundary.RecordExecutionInput
	for task := range 60 { // more than are looked at together
		for agent := range 3 {
			executions = append(executions, work(fmt.Sprint(task, " ", agent), fmt.Sprint("agent/", agent), fmt.Sprintf("task/%03d", task), 0.5))
		}
	}
	for i := range 20 { // ten of old that were good, ten that are not
		input := work(fmt.Sprint("worse ", i), "bob", "task/007", 0.9)
		input.At = new(servicetest.Noon.AddDate(0, 0, -20))
		if i >= 10 {
			input.Quality, input.At = 0.2, new(servicetest.Noon.AddDate(0, 0, -1))
		}
		executions = append(executions, input)
	}
	record(t, svc, executions...)
	walk := func(filter boundary.ProfileFilter, first int) (listed []string) {
		t.Helper()
		page := reading.PageInput{First: &first}
		for {
			found, err := svc.Learning.Profiles(t.Context(), filter, page)
			require.NoError(t, err)
			total, err := found.Total(t.Context())
			require.NoError(t, err)
			for i, p := range found.Items {
				listed, page.After = append(listed, p.TaskType+" "+p.AgentKey), &found.Cursors[i]
			}
			if !found.HasNext {
				require.Len(t, listed, total)
				return listed
			}
		}
	}
	all := walk(boundary.ProfileFilter{}, 7)
	require.Len(t, all, 181)
	require.True(t, slices.IsSorted(all))
	require.Equal(t, all, walk(boundary.ProfileFilter{}, 100))
	require.Equal(t, []string{"task/007 bob"}, walk(boundary.ProfileFilter{Trend: new(selection.TrendDown)}, 20))
	require.Equal(t, []string{"task/007 bob"}, walk(boundary.ProfileFilter{Cold: new(false)}, 20))
	require.Len(t, walk(boundary.ProfileFilter{Cold: new(true), TaskType: new("task/007")}, 2), 3)
	require.Empty(t, walk(boundary.ProfileFilter{TaskType: new("none")}, 20))
	_, err := svc.Learning.Profiles(t.Context(), boundary.ProfileFilter{Trend: new(selection.Trend("WORSE"))}, reading.PageInput{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "trend")
	_, err = svc.Learning.Profiles(t.Context(), boundary.ProfileFilter{TaskType: new("")}, reading.PageInput{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "taskType")
}

func TestTrendsNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for field, input := range map[string]boundary.TrendsInput{
		"bucket":  {Bucket: "YEAR"},
		"since":   {Bucket: trends.Hour, Since: new(servicetest.Noon.AddDate(-1, 0, 0))},
		"agentId": {Bucket: trends.Day, AgentID: new("")},
	} {
		_, err := svc.Learning.Trends(t.Context(), input)
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
	}
	points, err := svc.Learning.Trends(t.Context(), boundary.TrendsInput{Bucket: trends.Day})
	require.NoError(t, err)
	require.Empty(t, points)
}

// endless has more equally similar episodes than anybody reads.
type endless struct {
	store.Backend
	reads []store.Among
}

func (e *endless) Tenant(ctx context.Context, id string) (store.Store, error) {
	tenant, err := e.Backend.Tenant(ctx, id)
	return endlessStore{tenant, e}, err
}

type endlessStore struct {
	store.Store
	backend *endless
}

func (s endlessStore) PassagesByMeaning(_ context.Context, _ store.Question, among store.Among) (found []store.FoundPassage, more bool, err error) {
	s.backend.reads = append(s.backend.reads, among)
	for i := range among.Limit {
		found = append(found, store.FoundPassage{
			ID: int64(-i - 1), Kind: memory.KindEpisode, Key: fmt.Sprint("gone", i), Passage: memory.Passage{Part: memory.PartObservation, At: servicetest.Noon, Text: "kettle"},
		})
	}
	return found, true, nil
}

// List answers as many verdicts as are asked for, none of them made under energy.
func (s endlessStore) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	if _, is := query.(store.VerdictQuery); !is {
		return s.Store.List(ctx, query, page)
	}
	verdicts := make([]*memory.Verdict, page.Limit)
	for i := range verdicts {
		verdicts[i] = &memory.Verdict{Judgement: memory.Judgement{Key: fmt.Sprint(i), At: servicetest.Noon, Context: memory.JSON(`{"tempo":120}`)}}
	}
	return verdicts, true, nil
}

func withEndless(t *testing.T) (*service.Tenant, *endless) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	many := &endless{Backend: backend}
	return servicetest.Bind(t.Context(), t, service.New(many)), many
}

func TestSimilarEpisodesTakeOneRead(t *testing.T) {
	t.Parallel()
	svc, many := withEndless(t)
	record(t, svc, work("x", "ada", "refund", 0.8))
	_, err := svc.Learning.RankAgents(t.Context(), boundary.SelectionInput{TaskType: "refund", Situation: new("a kettle that leaks")}, nil)
	require.NoError(t, err)
	require.Len(t, many.reads, 1)
	require.Equal(t, store.EpisodeFilter{OutcomeKnown: true}, many.reads[0].Filter)
}

func TestRecallReadsOnceAndSaysWhereItIsApproximate(t *testing.T) {
	t.Parallel()
	svc, many := withEndless(t)
	found, err := svc.Retrieval.Recall(t.Context(), boundary.RecallInput{
		Situation: "a kettle that leaks", AsOf: &servicetest.Noon,
	}, boundary.Include{})
	require.NoError(t, err)
	require.True(t, found.Approximate)
	require.Len(t, many.reads, 1)
	require.Equal(t, &servicetest.Noon, many.reads[0].AsOf)
}
