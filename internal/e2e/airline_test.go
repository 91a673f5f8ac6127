package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/importer"
	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// The airline runs are real: 50 tasks that gpt-4o tried four times each. What a task's instruction
// should bring back is therefore known.
const (
	airlineTasks  = 50
	airlineTrials = 4
)

func TestAirlineOnSQLite(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	testAirline(t, backend)
}

func TestAirlineOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	testAirline(t, backend)
}

func testAirline(t *testing.T, backend store.Backend) {
	path := airlineFile(t)
	a := newAirline(t, backend)
	assert.Equal(t, 200, importAirline(t.Context(), t, a.tenant, path))
	assert.Zero(t, importAirline(t.Context(), t, a.tenant, path), "as after an import that broke off")
	t.Run("counts", a.testCounts)
	t.Run("one profile", a.testProfile)
	t.Run("recall at 4", a.testRecallAt4)
	t.Run("variants", a.testVariants)
	t.Run("only successes", a.testOnlySuccesses)
	t.Run("as of before a trial", a.testAsOf)
	t.Run("a trial as told", a.testTrial)
	t.Run("questions", func(t *testing.T) {
		a.testQuestions(t, airlineQuestions, airlineTrials, ofTheAirline, func(e *memory.Episode) string { return strings.Split(e.Key, "-")[2] })
	})
}

// importAirline imports all and says how many episodes are new.
func importAirline(ctx context.Context, t *testing.T, tenant *service.Tenant, path string) int {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	report, err := importer.Import(ctx, tenant, file, importer.Options{Format: importer.TauBench})
	require.NoError(t, file.Close())
	require.NoError(t, err)
	require.Equal(t, 200, report.Records())
	return report.Imported[memory.KindEpisode]
}

// airlineFile finds the data, which lies beside the repository and is not a part of it.
func airlineFile(t *testing.T) string {
	t.Helper()
	path, err := findAirline(t)
	if err != nil {
		t.Skipf("left out without the data: %v (set MNEME_TEST_DATA)", err)
	}
	return path
}

func findAirline(t *testing.T) (string, error) {
	t.Helper()
	path := filepath.Join(dataDir(t), "tau-bench", "gpt-4o-airline.json")
	_, err := os.Stat(path)
	return path, err
}

// dataDir is where real data lies: MNEME_TEST_DATA, by default ../shared/data beside the repository.
func dataDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("MNEME_TEST_DATA"); dir != "" {
		return dir
	}
	root, err := testneo4j.Root()
	require.NoError(t, err)
	return filepath.Join(root, "..", "shared", "data")
}

// testProfile: the runs are one profile, whose latest 100 executions it is made of.
func (a *airline) testProfile(t *testing.T) {
	var counted struct {
		Agent struct {
			LearningProfiles []struct {
				ID                                    string
				ExecutionsTotal, ExecutionsSuccessful int
				AvgQuality, Confidence                float64
				Live, Archived                        struct{ TotalCount int }
			}
		}
	}
	a.ask(t, `{ agent(id: "gpt-4o") { learningProfiles { id executionsTotal executionsSuccessful avgQuality confidence
		live: executions { totalCount } archived: executions(archived: true) { totalCount } } } }`, nil, &counted)
	require.Len(t, counted.Agent.LearningProfiles, 1)
	profile := counted.Agent.LearningProfiles[0]
	assert.Equal(t, "learningProfile:gpt-4o/airline", profile.ID)
	assert.Equal(t, []int{200, 84, 100, 100},
		[]int{profile.ExecutionsTotal, profile.ExecutionsSuccessful, profile.Live.TotalCount, profile.Archived.TotalCount})
	assert.InDelta(t, 84.0/200, profile.AvgQuality, 1e-9)
	assert.InDelta(t, 1, profile.Confidence, 1e-9)
}

func (a *airline) testCounts(t *testing.T) {
	var counted struct {
		All, Won struct{ TotalCount int }
		Agents   struct {
			Nodes []struct {
				ID        string
				TaskTypes []string
			}
		}
	}
	a.ask(t, `{
		all: episodes(first: 1) { totalCount }
		won: episodes(first: 1, filter: { taskType: "airline", outcome: SUCCESS }) { totalCount }
		agents { nodes { id taskTypes } }
	}`, nil, &counted)
	assert.Equal(t, airlineTasks*airlineTrials, counted.All.TotalCount)
	assert.Equal(t, 84, counted.Won.TotalCount)
	require.Len(t, counted.Agents.Nodes, 1)
	assert.Equal(t, "agent:gpt-4o", counted.Agents.Nodes[0].ID)
	assert.Equal(t, []string{"airline"}, counted.Agents.Nodes[0].TaskTypes)
}

// testRecallAt4 asks with the instruction of each task for as many experiences as it has trials.
func (a *airline) testRecallAt4(t *testing.T) {
	found := 0
	for task := range airlineTasks {
		hits := a.recall(t, map[string]any{"situation": a.instruction(t, task), "topK": airlineTrials, "ranking": textOnly, "variants": "SEPARATE"})
		require.Len(t, hits, airlineTrials)
		for _, hit := range hits {
			if hit.task(t) == task {
				found++
			} else {
				t.Logf("task %d also recalls %s", task, hit.Episode.ID)
			}
		}
	}
	recall := float64(found) / (airlineTasks * airlineTrials)
	t.Logf("recall@4 over %d tasks: %.4f", airlineTasks, recall)
	assert.GreaterOrEqual(t, recall, 0.97)
}

func (a *airline) testOnlySuccesses(t *testing.T) {
	for task := range airlineTasks {
		hits := a.recall(t, map[string]any{"situation": a.instruction(t, task), "topK": 10, "outcome": "SUCCESS"})
		require.NotEmpty(t, hits)
		for _, hit := range hits {
			assert.Equal(t, "SUCCESS", hit.Episode.Outcome, hit.Episode.ID)
		}
	}
}

// testAsOf asks, a moment before the third trial of each task, what was known of the first two.
func (a *airline) testAsOf(t *testing.T) {
	for task := range airlineTasks {
		third := a.trial(t, task, 2)
		hits := a.recall(t, map[string]any{
			"situation": a.instruction(t, task), "topK": 100, "ranking": textOnly, "variants": "SEPARATE",
			"asOf": third.StartedAt.Add(-time.Millisecond),
		})
		require.NotEmpty(t, hits)
		own := 0
		for _, hit := range hits {
			assert.True(t, hit.Episode.EndedAt.Before(third.StartedAt), "%s was not known before %s", hit.Episode.ID, third.ID)
			if hit.task(t) == task {
				own++
			}
		}
		assert.Equal(t, 2, own, "the trials before are known")
	}
}

func (a *airline) testTrial(t *testing.T) {
	var found struct {
		Episode struct {
			Title, Observation, Outcome, Insight, Result string
			SessionID                                    string
			Thoughts                                     []string
			Actions                                      []struct {
				StepID, StepName string
				Result           struct {
					Arguments map[string]any
					Result    any
				}
			}
			Metadata struct {
				Reward   float64
				Expected []struct{ Name string }
			}
			Events struct{ Nodes []struct{ Type string } }
		}
	}
	a.ask(t, `{ episode(id: "tau-airline-0-0") { title result events(first: 8) { nodes { type } } observation outcome insight sessionId thoughts actions { stepId stepName result } metadata } }`, nil, &found)
	e := found.Episode
	assert.Equal(t, a.instruction(t, 0), e.Observation)
	assert.Equal(t, "FAILURE", e.Outcome)
	assert.Zero(t, e.Metadata.Reward)
	assert.NotEmpty(t, e.Insight)
	assert.NotEmpty(t, e.Thoughts)
	assert.Equal(t, e.Thoughts[len(e.Thoughts)-1], e.Result)
	assert.Equal(t, "book_reservation", e.Metadata.Expected[0].Name)
	var log []string
	for _, event := range e.Events.Nodes {
		log = append(log, event.Type)
	}
	const said, done = "agent_message", "step_completed"
	assert.Equal(t, []string{"workflow_started", said, said, said, said, said, done, done}, log, "in its order")
	assert.Equal(t, "session:tau-airline-0-0", e.SessionID)
	require.NotEmpty(t, e.Actions)
	assert.Equal(t, "get_user_details", e.Actions[0].StepName)
	assert.Equal(t, "mia_li_3668", e.Actions[0].Result.Arguments["user_id"])
	for _, action := range e.Actions {
		assert.NotNil(t, action.Result.Result, "%s was answered", action.StepID)
	}
}

// newAirline is a memory of its own, a tenant that no other test knows, behind the real HTTP handler.
func newAirline(t *testing.T, backend store.Backend) *airline {
	t.Helper()
	tenant := fmt.Sprintf("airline-%d", time.Now().UnixNano())
	svc := service.New(backend)
	api := gqlhttp.NewHandler(svc, gqlhttp.Options{})
	return startAirline(t, backend, &airline{
		tenant: servicetest.Bind(service.WithTenant(t.Context(), tenant), t, svc),
		api: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			api.ServeHTTP(w, r.WithContext(service.WithTenant(r.Context(), tenant)))
		}),
	})
}
