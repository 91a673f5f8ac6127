package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/gqlhttp"
	"mneme/internal/redact"
	"mneme/internal/testneo4j"
	"mneme/service"
	"mneme/service/keyring"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// now is the time at which the tests take place.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// suite is a store behind the API, shared by the tests that run on it; each test has a tenant of its own.
type suite struct {
	handler http.Handler
	service *service.Service
	backend store.Backend
	// sent counts the statements sent to the store; nil where the store does not say.
	sent *statements
	seen *coverage
	made atomic.Int64
	name string
}

// statements counts what a store is asked by requests. What is done in the background of earlier tests is not counted,
// nor what a process asks at most once a second for all requests together.
type statements struct{ atomic.Int64 }

var onceASecond = []string{"passage_changes", "vector_length"}

type requested struct{}

func (s *statements) Begin(ctx context.Context, name string) (end func(error)) {
	asks := func(ctx context.Context) bool { return ctx.Value(requested{}) != nil }
	if name != store.Commit && !slices.Contains(onceASecond, name) && (asks(ctx) || slices.ContainsFunc(store.Askers(ctx), asks)) {
		s.Add(1)
	}
	return func(error) {}
}

func (*statements) Statements(int) {}

// world is one tenant's memory behind the API.
type world struct {
	*suite
	tenant string
}

func TestAPIOnSQLite(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	testAPI(t, backend, nil)
}

func TestAPIOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	var sent statements
	backend, err := neo4j.Open(t.Context(), neo4j.Options{
		URL: server.URL, User: server.User, Password: server.Password,
		Observer: &sent,
	})
	require.NoError(t, err)
	testAPI(t, backend, &sent)
}

// testAPI runs every test of the API on a store, and then asks whether they left a field of the schema out.
func testAPI(t *testing.T, backend store.Backend, sent *statements) {
	s := newSuite(t, backend, sent)
	tests := map[string]func(*testing.T, *world){
		"record and read":         testRecordAndRead,
		"batches":                 testBatches,
		"capture":                 testCapture,
		"runs that are told":      testRunsTold,
		"runs in parts":           testRunsInParts,
		"traces":                  testTraces,
		"deep spans":              testDeepSpans,
		"spans of tools":          testSpansOfTools,
		"conclude":                testConclude,
		"delete":                  testDelete,
		"delete agent":            testDeleteAgent,
		"delete feedback":         testDeleteFeedback,
		"delete records":          testDeleteRecords,
		"delete judged":           testDeleteJudged,
		"unknown names":           testUnknownNames,
		"users":                   testUsers,
		"users are kept apart":    testUsersAreKeptApart,
		"users by MCP":            testUsersByMCP,
		"delete episodes":         testDeleteEpisodes,
		"let go for good":         testLetGoForGood,
		"nodes":                   testNodes,
		"keys":                    testKeys,
		"links":                   testLinks,
		"amplification":           testAmplification,
		"sums":                    testSums,
		"one record alone":        testOneRecordAlone,
		"large records":           testLargeRecords,
		"backfill":                testBackfill,
		"waiting":                 testWaiting,
		"a session by GraphQL":    testSessionByGraphQL,
		"a session by MCP":        testSessionByMCP,
		"a day by MCP":            testDay,
		"without canvases":        testWithoutCanvasIntegration,
		"two tasks by MCP":        testTwoTasksOfASession,
		"fading profiles":         testFadingProfiles,
		"logs by MCP":             testLogsByMCP,
		"thresholds by MCP":       testThresholdsByMCP,
		"mined plans by MCP":      testMinedPlansByMCP,
		"monitoring by MCP":       testMonitoringByMCP,
		"knowledge by MCP":        testKnowledgeByMCP,
		"forgetting by MCP":       testForgettingByMCP,
		"alerts":                  testAlerts,
		"health":                  testHealth,
		"search by meaning":       testSearchByMeaning,
		"scores":                  testScores,
		"canvas states":           testCanvasStates,
		"canvas insights":         testCanvasInsights,
		"canvas rules":            testCanvasRules,
		"ranking":                 testRanking,
		"credit":                  testCredit,
		"variants":                testVariants,
		"recall filters":          testRecallFilters,
		"recall contexts":         testRecallContexts,
		"recall as of":            testRecallAsOf,
		"lessons":                 testLessons,
		"lessons of canvases":     testLessonsOfCanvases,
		"cautions":                testCautions,
		"failures nobody rated":   testFailuresNobodyRated,
		"patterns of a recall":    testPatternsOfARecall,
		"forms to fill again":     testFormsToFillAgain,
		"nothing alike":           testNothingAlike,
		"lessons to cite":         testLessonsToCite,
		"corrections of a recall": testCorrectionsOfARecall,
		"redaction":               testRedaction,
		"exact JSON":              testExactJSON,
		"page walks":              testPageWalks,
		"bad input":               testBadInput,
		"cursors":                 testCursors,
		"sixty-four reactions":    testConcurrentFeedback,
		"changed votes":           testChangedVote,
		"tenants":                 testTenants,
		"round trips":             testRoundTrips,
		"concepts":                testConcepts,
		"concept links":           testConceptLinks,
		"moments":                 testMomentFields,
		"next steps":              testNextSteps,
		"concept search":          testConceptSearch,
		"concepts as of":          testConceptsAsOf,
		"one link of many":        testConcurrentLinks,
		"neighbourhoods":          testNeighbourhoods,
		"a large memoir":          testLargeMemoir,
		"growing meanwhile":       testGrowingMeanwhile,
		"paths":                   testPaths,
		"observations":            testObservations,
		"accesses":                testAccesses,
		"many accesses":           testManyAccesses,
		"prune":                   testPrune,
		"time fades":              testTimeFades,
		"lent relevance":          testLentRelevance,
		"consolidation":           testConsolidation,
		"corrections":             testCorrections,
		"one search":              testOneSearch,
		"write boundary":          testWriteBoundary,
		"bad knowledge":           testBadKnowledge,
		"knowledge of tenants":    testKnowledgeOfTenants,
		"knowledge in batches":    testKnowledgeRoundTrips,

		"learning profiles":       testProfiles,
		"episodes are executions": testEpisodesAreExecutions,
		"the archive":             testArchive,
		"selection":               testSelection,
		"a situation":             testSituation,
		"graduation":              testGraduation,
		"trends":                  testTrends,
		"four sections":           testFourSections,
		"history":                 testHistory,
		"separated contexts":      testSeparatedContexts,
		"runs at once":            testRunsAtOnce,
		"judges":                  testJudges,
		"judge thresholds":        testJudgeThresholds,
		"mined plans":             testMinedPlans,
		"watching judges":         testWatchingJudges,
		"a real judge":            testPandaLM,
		"bad learning":            testBadLearning,

		"live":             testLive,
		"live again":       testLiveAgain,
		"live alerts":      testLiveAlerts,
		"alerts by time":   testAlertsByTimeAlone,
		"live and refused": testLiveRefused,

		"names":                testNames,
		"names of knowledge":   testNamesOfKnowledge,
		"names of judged work": testNamesOfJudgedWork,
		"retries":              testRetries,
	}
	ran := 0
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ran++
			test(t, s.world())
		})
	}
	if ran == len(tests) && !t.Failed() {
		assert.Empty(t, s.seen.missing(), "fields of the schema that no test reads")
	}
}

// newSuite puts the API before a store, which it closes in the end.
func newSuite(t *testing.T, backend store.Backend, sent *statements) *suite {
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	svc := service.New(backend, service.WithClock(func() time.Time { return now }), service.WithRedaction(redact.Rules()), func(s *service.Settings) { s.ExaminingTime = patience })
	t.Cleanup(func() { assert.NoError(t, svc.Close(context.Background())) })
	return &suite{
		handler: gqlhttp.NewHandler(svc, gqlhttp.Options{Keys: keyring.New(backend, slog.New(slog.DiscardHandler))}), service: svc, backend: backend, sent: sent, seen: newCoverage(),
		name: fmt.Sprintf("e2e-%x", time.Now().UnixNano()),
	}
}

// bound is the memory of the test, past its doors.
func (w *world) bound(t *testing.T) *service.Tenant {
	t.Helper()
	return servicetest.Bind(service.WithTenant(t.Context(), w.tenant), t, w.service)
}

func (s *suite) world() *world {
	return &world{suite: s, tenant: fmt.Sprintf("%s-%d", s.name, s.made.Add(1))}
}

// fault is an error as a client sees it.
type fault struct {
	Message    string
	Path       []any
	Extensions struct{ Code, Field, ID, RequestID string }
}

type response struct {
	Status int
	Data   json.RawMessage
	Errors []fault

	Extensions struct {
		Unknown []struct{ Field, Message string }
	}
}

// send posts a request the way a client does.
func (w *world) send(t *testing.T, body []byte) response {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request = request.WithContext(context.WithValue(service.WithTenant(request.Context(), w.tenant), requested{}, true))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, request)
	answer := response{Status: recorder.Code}
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer), recorder.Body.String())
	return answer
}

func (w *world) post(t *testing.T, query string, variables vars) response {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	w.seen.add(t, query)
	return w.send(t, body)
}

type vars map[string]any

// sized is how much of some data a test makes: all of it in the long form of the tests, a quarter in the short one.
func sized(all int) int {
	if testing.Short() {
		return all / 4
	}
	return all
}

// ask sends a query that must succeed, and reads its data.
func (w *world) ask(t *testing.T, query string, variables vars, data any) {
	t.Helper()
	answer := w.post(t, query, variables)
	require.Empty(t, answer.Errors)
	if data != nil {
		require.NoError(t, json.Unmarshal(answer.Data, data))
	}
}

// do sends a mutation of one field with its input, and reads the payload.
func (w *world) do(t *testing.T, mutation, selection string, input vars, payload any) {
	t.Helper()
	var data map[string]json.RawMessage
	w.ask(t, mutationOf(mutation, selection), vars{"input": input}, &data)
	if payload != nil {
		require.NoError(t, json.Unmarshal(data[mutation], payload))
	}
}

// refuse sends a query that must fail, and gives its one error.
func (w *world) refuse(t *testing.T, query string, variables vars) fault {
	t.Helper()
	answer := w.post(t, query, variables)
	require.Len(t, answer.Errors, 1)
	return answer.Errors[0]
}

func mutationOf(name, selection string) string {
	input := string(bytes.ToUpper([]byte(name[:1]))) + name[1:] + "Input!"
	return fmt.Sprintf("mutation ($input: %s) { %s(input: $input) { %s } }", input, name, selection)
}

// episode records an episode with an observation, and whatever else is given.
func (w *world) episode(t *testing.T, id, observation string, more vars) {
	t.Helper()
	input := vars{"id": id, "agentId": "ada", "observation": observation, "startedAt": now.Add(-time.Hour)}
	for key, value := range more {
		input[key] = value
	}
	w.do(t, "recordEpisode", "episode { id }", input, nil)
}

// canvas records actions on a canvas, one each for the given seconds after now−1 h.
func (w *world) canvas(t *testing.T, canvas vars, actions ...vars) {
	t.Helper()
	inputs := make([]vars, len(actions))
	for i, action := range actions {
		inputs[i] = vars{"at": now.Add(-time.Hour)}
		for _, part := range []vars{canvas, action} {
			for key, value := range part {
				inputs[i][key] = value
			}
		}
	}
	var payload struct{ Result batch }
	w.do(t, "recordCanvasActions", "result { succeeded failed ids errors { index code message field } }", vars{"actions": inputs}, &payload)
	require.Empty(t, payload.Result.Errors)
}

// after is the time so many seconds after the tests' canvases are first shown.
func after(seconds int) time.Time { return now.Add(-time.Hour + time.Duration(seconds)*time.Second) }

func (w *world) feedback(t *testing.T, input vars) {
	t.Helper()
	w.do(t, "submitFeedback", "feedback { id }", input, nil)
}

type batch struct {
	Succeeded, Failed int
	IDs               []*string
	Errors            []struct {
		Index                int
		Code, Message, Field string
	}
}

func (w *world) count(t *testing.T) int {
	t.Helper()
	var data struct{ Episodes struct{ TotalCount int } }
	w.ask(t, `{ episodes { totalCount } }`, nil, &data)
	return data.Episodes.TotalCount
}
