package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service/boundary"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

func TestMomentsOnSQLite(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	testMoments(t, backend)
}

func TestMomentsOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	testMoments(t, backend)
}

// airlineRun is a run with its messages as they came.
type airlineRun struct {
	Task  int     `json:"task_id"`
	Trial int     `json:"trial"`
	Won   float64 `json:"reward"`
	Info  struct {
		Task struct{ Instruction string }
	}
	Messages []struct {
		Role, Name string
		Content    *string
		Call       string `json:"tool_call_id"`
		Calls      []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	} `json:"traj"`
}

func airlineRuns(t *testing.T) (runs []airlineRun) {
	t.Helper()
	text, err := os.ReadFile(airlineFile(t))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &runs))
	require.Len(t, runs, airlineTasks*airlineTrials)
	return runs
}

// log tells a run in the words of a run's log.
func (r *airlineRun) log(t *testing.T) (events []boundary.EventInput) {
	t.Helper()
	at := time.Date(2024, 5, 15, r.Trial, r.Task, 0, 0, time.UTC)
	add := func(kind string, data map[string]any) {
		text, err := memory.JSONOf(data)
		require.NoError(t, err)
		at = at.Add(time.Second)
		events = append(events, boundary.EventInput{Type: kind, Data: text, At: at})
	}
	add(capture.EventWorkflowStarted, map[string]any{"args": r.Info.Task.Instruction})
	arguments := map[string]string{}
	for _, m := range r.Messages[1:] {
		for _, call := range m.Calls {
			arguments[call.ID] = call.Function.Arguments
		}
		switch {
		case m.Content == nil:
		case m.Role == "tool":
			add(capture.EventStepCompleted, map[string]any{"step_name": m.Name, "result": map[string]any{"arguments": arguments[m.Call], "result": *m.Content}})
		default:
			add(capture.EventAgentMessage, map[string]any{"role": m.Role, "content": *m.Content})
		}
	}
	end := capture.EventWorkflowFailed
	if r.Won == 1 {
		end = capture.EventWorkflowCompleted
	}
	add(end, nil)
	return events
}

// quote is at most 25 words in a row of what was said in a run, at a place at random; empty where that is short.
func (r *airlineRun) quote(random *rand.Rand, role string) string {
	const most, least = 25, 8
	m := r.Messages[1+random.IntN(len(r.Messages)-1)]
	if m.Role != role || m.Content == nil {
		return ""
	}
	words := strings.Fields(*m.Content)
	if len(words) < least {
		return ""
	}
	from := random.IntN(len(words) - min(len(words), most) + 1)
	return strings.Join(words[from:min(len(words), from+most)], " ")
}

// testMoments quotes from the middle of runs. Each task was tried four times; a trial of the task must be found.
func testMoments(t *testing.T, backend store.Backend) {
	runs, seeds := airlineRuns(t), uint64(3)
	if testing.Short() {
		runs, seeds = slices.DeleteFunc(runs, func(r airlineRun) bool { return r.Task >= airlineTasks/2 }), 1
	}
	a := newAirline(t, backend)
	inParallel(4, len(runs), func(i int) {
		_, err := a.tenant.Episodes.CaptureRun(t.Context(), boundary.CaptureRunInput{
			RunID: fmt.Sprintf("tau-airline-%d-%d", runs[i].Task, runs[i].Trial), AgentID: "gpt-4o", Events: runs[i].log(t),
		}, boundary.Include{})
		assert.NoError(t, err)
	})
	const quotes = 60
	for _, least := range []struct {
		role        string
		five, first float64
	}{{"user", 0.97, 0.90}, {"assistant", 0.95, 0.85}, {"tool", 0.97, 0.70}} {
		five, first, said, asked := 0, 0, 0, 0
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 36))
			for n := 0; n < quotes; {
				run := &runs[random.IntN(len(runs))]
				quote := run.quote(random, least.role)
				if quote == "" {
					continue
				}
				n++
				asked++
				answer, err := a.tenant.Retrieval.Recall(t.Context(), boundary.RecallInput{Situation: quote}, boundary.Include{})
				require.NoError(t, err)
				for i, hit := range answer.Hits {
					if strings.HasPrefix(hit.Episode.Key, fmt.Sprintf("tau-airline-%d-", run.Task)) {
						five++
						if i == 0 {
							first++
						}
						if strings.Contains(hit.Moments[0].Snippet, "**") {
							said++
						}
						break
					}
				}
			}
		}
		t.Logf("quoted from %s: a trial of the task among five %.3f, first %.3f", least.role, share(five, asked), share(first, asked))
		assert.GreaterOrEqual(t, share(five, asked), least.five, least.role)
		assert.GreaterOrEqual(t, share(first, asked), least.first, least.role)
		assert.Equal(t, five, said, "what was found of it is marked")
	}
}

func share(n, of int) float64 { return float64(n) / float64(of) }
