package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/mcpserver"
	"mneme/service"
)

// door records by the names that GraphQL and MCP have for the same input.
type door func(mutation, tool string, input vars)

func testSessionByGraphQL(t *testing.T, w *world) {
	selections := map[string]string{"recordCanvasActions": "result { failed }", "submitFeedback": "feedback { id }", "recordEpisode": "episode { id }"}
	w.sessionOf(t, func(mutation, _ string, input vars) { w.do(t, mutation, selections[mutation], input, nil) })
}

func testSessionByMCP(t *testing.T, w *world) {
	agent := w.agent(t)
	w.sessionOf(t, func(_, tool string, input vars) { agent.call(t, tool, input, nil) })
}

// agent is a client of MCP with a session of its own.
type agent struct{ *mcp.ClientSession }

func (w *world) agent(t *testing.T) agent {
	t.Helper()
	handler := mcpserver.Handler(mcpserver.New(w.service, mcpserver.Options{Version: "test"}))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		handler.ServeHTTP(answer, request.WithContext(service.WithTenant(request.Context(), w.tenant)))
	}))
	t.Cleanup(server.Close)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() }) // what the server's end was is no fault
	return agent{session}
}

// call makes a call that must succeed, and reads its answer.
func (a agent) call(t *testing.T, tool string, input vars, answer any) {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: input})
	require.NoError(t, err)
	text, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	require.False(t, result.IsError, result.Content)
	if answer != nil {
		require.NoError(t, json.Unmarshal(text, answer))
	}
}

// sessionOf plays a session in its ordinary order: two canvases are shown and taken differently, thumbs are given, and
// the episode is recorded at the end, without times and without a backfill.
func (w *world) sessionOf(t *testing.T, record door) {
	t.Helper()
	ago := func(seconds int) time.Time { return now.Add(-time.Duration(seconds) * time.Second) }
	action := func(component, kind string, at time.Time) vars {
		return vars{"canvasId": component, "sessionId": "s", "canvasType": "charts", "componentType": component, "action": kind, "at": at}
	}
	record("recordCanvasActions", "record_canvas_actions", vars{"actions": []vars{
		action("line_chart", "PRESENT", ago(1200)), action("line_chart", "CLOSE", ago(1197)),
		action("bar_chart", "PRESENT", ago(600)), action("bar_chart", "CLOSE", ago(570)),
	}})
	record("submitFeedback", "submit_feedback", vars{"id": "praise", "sessionId": "s", "type": "THUMBS_UP", "rating": 5, "at": ago(500)})
	record("submitFeedback", "submit_feedback", vars{"id": "remark", "canvasId": "bar_chart", "type": "RATING", "rating": 3, "corrections": "Keep the table.", "at": ago(490)})
	for range 2 { // again is the same
		record("recordEpisode", "record_episode", vars{"id": "e", "agentId": "ada", "sessionId": "s", "observation": "Revenue of the quarter was wanted", "outcome": "SUCCESS"})
	}

	var data struct {
		Episode struct {
			CanvasIDs, FeedbackIDs []string
			AggregateFeedbackScore float64
			CanvasActionCount      int
		}
		Agent struct {
			Graduation struct {
				InterventionsBySource []struct {
					Source   string
					Episodes int
				}
			}
		}
		Recall struct {
			Hits []struct {
				Score struct{ Canvas, Feedback float64 }
			}
			Lessons string
		}
	}
	w.ask(t, `{
		episode(id: "e") { canvasIds feedbackIds aggregateFeedbackScore canvasActionCount }
		agent(id: "ada") { graduation { interventionsBySource { source episodes } } }
		recall(input: { situation: "revenue of the quarter" }) { hits { score { canvas feedback } } lessons }
	}`, nil, &data)
	assert.Equal(t, []string{"canvas:bar_chart", "canvas:line_chart"}, data.Episode.CanvasIDs)
	assert.Equal(t, []string{"feedback:remark", "feedback:praise"}, data.Episode.FeedbackIDs)
	assert.InDelta(t, 0.5, data.Episode.AggregateFeedbackScore, 0)
	assert.Equal(t, 4, data.Episode.CanvasActionCount)
	for _, by := range data.Agent.Graduation.InterventionsBySource {
		assert.Equal(t, by.Source == "CANVAS", by.Episodes == 1, by.Source)
	}
	require.Len(t, data.Recall.Hits, 1)
	assert.InDelta(t, 0.1, data.Recall.Hits[0].Score.Canvas, 1e-12)
	assert.InDelta(t, 0.2, data.Recall.Hits[0].Score.Feedback, 1e-12)
	for _, part := range []string{"line chart: closed after 3 s", "bar chart: 30 s", "Keep the table."} {
		assert.Contains(t, data.Recall.Lessons, part)
	}

	refused := w.refuse(t, mutationOf("submitFeedback", "feedback { id }"), vars{"input": vars{"episodeId": "agent:x", "type": "THUMBS_UP"}})
	assert.Equal(t, "episodeId", refused.Extensions.Field)
}
